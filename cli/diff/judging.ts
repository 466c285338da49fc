/** The configuration of a comparison: command-line options and the configuration file of the project. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ChangeSeverity } from '../../src/diff/change.ts'
import { accepts, readIgnoreList } from '../../src/diff/ignore.ts'
import type { DiffResult, Ignored } from '../../src/diff/options.ts'
import type { ProfileName } from '../../src/diff/profile.ts'
import { noRulebook, readOverride, readRulebook } from '../../src/diff/rulebook.ts'
import { SvcError } from '../../src/errors.ts'
import { readList } from './lists.ts'

/** The rule configuration that is found where none is named. */
export const rulebookName = 'svc-diff.yaml'

export interface Judging {
  readonly profile: ProfileName
  readonly overrides: Readonly<Record<string, ChangeSeverity>>
  readonly ignore: readonly Ignored[]
}

interface Asked {
  readonly config: string | undefined
  /** Null where it was not given. */
  readonly profile: ProfileName | null
  readonly severity: readonly string[]
  readonly ignore: readonly string[]
}

const overridesOf = (given: readonly string[]): Record<string, ChangeSeverity> => {
  const result: Record<string, ChangeSeverity> = {}
  for (const it of given) {
    const [rule = '', severity = ''] = it.split('=', 2)
    const read = readOverride(rule, severity)
    if (typeof read !== 'string')
      throw new SvcError('usage', { reason: `--severity takes RULE=SEVERITY, not "${it}": ${read[0]}` })
    result[rule] = read
  }
  return result
}

/**
 * The configuration from options and file; options take precedence.
 * @throws SvcError `usage`
 */
export async function readJudging(asked: Asked, cwd: string): Promise<Judging> {
  const overrides = overridesOf(asked.severity)
  const name = asked.config ?? (existsSync(resolve(cwd, rulebookName)) ? rulebookName : null)
  const house = name === null ? noRulebook : await readList(name, cwd, 'configuration of comparisons', readRulebook)
  const lists = await Promise.all(
    asked.ignore.map((file) => readList(file, cwd, 'list of accepted changes', readIgnoreList)),
  )
  return {
    profile: asked.profile ?? house.profile ?? 'standard',
    overrides: { ...house.severity, ...overrides },
    ignore: [...lists.flat(), ...house.ignore],
  }
}

/** What is said of acceptances that do nothing any more. `today`: the day by which they were evaluated. */
export function acceptanceNotes(
  ignore: readonly Ignored[],
  results: readonly Pick<DiffResult, 'ignored'>[],
  today: string,
): string[] {
  const used = results.flatMap(({ ignored }) => ignored.map(({ change }) => change))
  return ignore.flatMap((entry) => {
    const { match, reason, until } = entry
    if (until !== undefined && until < today) return [`The acceptance of ${match} ended on ${until}: ${reason}`]
    return used.some((change) => accepts(entry, change))
      ? []
      : [`The acceptance of ${match} matches nothing here: ${reason}`]
  })
}
