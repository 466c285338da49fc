/** What the options of a comparison ask for, checked before anything is read. */
import { edenGC } from 'bun:jsc'
import { isCalendarDate } from '../../src/kernel/calendar-date.ts'
import type { DiffOptions, Mode } from '../../src/diff/options.ts'
import type { Scope } from '../../src/diff/scope.ts'
import { every, memoryGuard } from '../memory-guard.ts'
import { readJudging, type Judging } from './judging.ts'
import type { ComparingInvocation } from './options.ts'
import { usageError } from '../usage-error.ts'

/** How two documents are compared. */
export interface Settings extends Judging {
  readonly asOf: string
  readonly mode: Mode | undefined
  /** Null where all operations are compared. */
  readonly scope: Scope | null
}

const today = (): string => new Date().toISOString().slice(0, 10)

const scopeOf = ({ options }: ComparingInvocation): Scope | null => {
  const { 'match-path': paths, operation: operations, tag: tags } = options
  return paths.length + operations.length + tags.length === 0 ? null : { paths, operations, tags }
}

/**
 * Reads the settings of a comparison from its options and from the configuration file.
 * @throws SvcError `usage`
 */
export async function comparisonSettings(invocation: ComparingInvocation): Promise<Settings> {
  const { args, options, given, cwd } = invocation
  if (args.base === '-' && args.head === '-') throw usageError('Only one side can be standard input')
  const asOf = options['as-of'] ?? today()
  if (!isCalendarDate(asOf)) throw usageError(`--as-of takes a calendar date such as 2026-01-31, not "${asOf}"`)
  if (options.earlier.length > 0 && !options.mode?.endsWith('-transitive'))
    throw usageError(
      '--earlier needs a transitive mode: --mode backward-transitive, forward-transitive or full-transitive',
    )
  const judging = await readJudging(
    {
      config: options.config,
      profile: given.has('profile') ? options.profile : null,
      severity: options.severity,
      ignore: options.ignore,
    },
    cwd,
  )
  const mode = options.mode?.replace('-transitive', '') as Mode | undefined
  return { ...judging, asOf, mode, scope: scopeOf(invocation) }
}

/**
 * Keeps memory small. Little of what a comparison makes on its way lives long: collecting the young values often costs next to
 * nothing, and the old ones are looked at where much has been kept.
 */
const tidying = (): (() => void) =>
  every(
    4,
    memoryGuard(
      { least: 120_000_000, step: 3_000_000, collect: edenGC },
      { least: 220_000_000, step: 60_000_000, collect: () => Bun.gc(true) },
    ),
  )

/** The settings as the engine takes them. */
export const engineOptions = ({
  profile,
  asOf,
  ignore,
  overrides,
  mode,
}: Settings): DiffOptions & { pause(): void } => ({
  profile,
  asOf,
  ignore,
  overrides,
  pause: tidying(),
  ...(mode === undefined ? {} : { mode }),
})
