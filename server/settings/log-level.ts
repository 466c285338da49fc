/** The levels of lines in the log, the least important first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
/** The level from which lines are written. */
export type LogLevel = (typeof logLevels)[number] | 'silent'
