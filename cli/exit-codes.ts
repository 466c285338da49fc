import type { ExitCode } from '../src/errors.ts'

const precedence: readonly ExitCode[] = [70, 130, 2, 1, 7, 6, 3, 4, 5, 0]

/** The exit code of a command for which several apply: the first of 70, 130, 2, 1, 7, 6, 3, 4, 5; 0 for none. */
export const combineExitCodes = (codes: readonly ExitCode[]): ExitCode =>
  precedence.find((code) => codes.includes(code)) ?? 0
