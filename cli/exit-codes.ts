import type { ExitCode } from '../src/errors.ts'
import { exitPrecedence } from '../src/errors/exit-codes.ts'

/** The exit code of a command for which several apply: the first in the order of precedence; 0 for none. */
export const combineExitCodes = (codes: readonly ExitCode[]): ExitCode =>
  exitPrecedence.find((code) => codes.includes(code)) ?? 0
