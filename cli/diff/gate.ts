/** What a comparison makes of a process: its exit code. */
import { changeSeverities, type ChangeSeverity } from '../../src/diff/change.ts'
import { outcomeOf, type Outcome } from '../../src/diff/conclusion.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import type { ExitCode } from '../../src/errors.ts'

/** The exit codes of `--exit-code`, one for each outcome. */
const outcomeCodes = {
  unchanged: 0,
  'docs-only': 10,
  compatible: 11,
  undecided: 12,
  breaking: 13,
} as const satisfies Readonly<Record<Outcome, ExitCode>>

/** What makes a comparison fail. */
export interface Gate {
  /** The mildest severity that is not accepted; undefined where every change is. */
  readonly failOn: ChangeSeverity | undefined
  /** The exit code tells the outcome instead. */
  readonly tellsOutcome: boolean
}

type Compared = Pick<DiffResult, 'maxSeverity' | 'verdict'> & {
  readonly changes: readonly Pick<DiffResult['changes'][number], 'severity' | 'classification'>[]
}

/** Whether a change reaches the severity that a caller does not accept; undefined where every change is accepted. */
export const failsGate = (
  change: Pick<DiffResult['changes'][number], 'severity' | 'classification'>,
  limit: ChangeSeverity | undefined,
  allowUnknown: boolean,
): boolean =>
  limit !== undefined &&
  changeSeverities.indexOf(change.severity) <= changeSeverities.indexOf(limit) &&
  !(allowUnknown && change.classification === 'unknown')

/**
 * The exit code of a comparison: 4 where it reaches the severity of the gate or a version understates it, otherwise the
 * outcome where that is asked for.
 */
export const exitCodeOf = (
  result: Compared,
  gate: Gate,
  { allowUnknown, understated }: { readonly allowUnknown: boolean; readonly understated: boolean },
): ExitCode => {
  if (understated || result.changes.some((it) => failsGate(it, gate.failOn, allowUnknown))) return 4
  return gate.tellsOutcome ? outcomeCodes[outcomeOf(result)] : 0
}
