import type { ExitCode, SvcError } from '../src/errors.ts'
import { exitPrecedence } from '../src/errors/exit-codes.ts'

/** The exit code of a command for which several apply: the first in the order of precedence; 0 for none. */
export const combineExitCodes = (codes: readonly ExitCode[]): ExitCode =>
  exitPrecedence.find((code) => codes.includes(code)) ?? 0

/** What a command ends with: the exit code of all that it says, and of its failures the one that the envelope holds. */
export const endOf = (
  codes: ExitCode | readonly ExitCode[] | undefined,
  failures: readonly SvcError[],
): { readonly exitCode: ExitCode; readonly worst: SvcError | undefined } => {
  const own = typeof codes === 'object' ? codes : [codes ?? 0]
  const exitCode = combineExitCodes([...own, ...failures.map((failure) => failure.exitCode)])
  return { exitCode, worst: failures.find((failure) => failure.exitCode === exitCode) ?? failures[0] }
}

/** The exit code after a signal: 128 and its number, as shells have it. */
export const exitCodeOfSignal = ({ reason }: Pick<AbortSignal, 'reason'>): ExitCode =>
  reason instanceof DOMException && reason.message === 'SIGTERM' ? 143 : 130

/** The exit code of an answer to "can it be deployed": 3 for no, and for unknown unless that is allowed. */
export const exitCodeOfAnswer = (answer: 'yes' | 'no' | 'unknown', allowUnknown: boolean): ExitCode =>
  answer === 'yes' || (answer === 'unknown' && allowUnknown) ? 0 : 3
