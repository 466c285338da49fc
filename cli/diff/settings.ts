/** What the options of a comparison ask for, checked before anything is read. */
import { isCalendarDate } from '../../src/calendar-date.ts'
import type { DiffOptions, Mode } from '../../src/diff/options.ts'
import type { Scope } from '../../src/diff/scope.ts'
import { SvcError } from '../../src/errors.ts'
import { memoryGuard } from '../memory-guard.ts'
import { readJudging, type Judging } from './judging.ts'
import type { ComparingInvocation } from './options.ts'

/** How two documents are compared. */
export interface Settings extends Judging {
  readonly asOf: string
  readonly mode: Mode | undefined
  /** Null where all operations are compared. */
  readonly scope: Scope | null
}

const usage = (reason: string): SvcError => new SvcError('usage', { reason })

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
  if (args.base === '-' && args.head === '-') throw usage('Only one side can be standard input')
  const asOf = options['as-of'] ?? today()
  if (!isCalendarDate(asOf)) throw usage(`--as-of takes a calendar date such as 2026-01-31, not "${asOf}"`)
  if (options.earlier.length > 0 && !options.mode?.endsWith('-transitive'))
    throw usage('--earlier needs a transitive mode: --mode backward-transitive, forward-transitive or full-transitive')
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
  // Two revisions of several megabytes leave more behind than is kept.
  pause: memoryGuard(170_000_000, 30_000_000, () => Bun.gc(true)),
  ...(mode === undefined ? {} : { mode }),
})
