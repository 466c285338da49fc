/** What other rooms use of settings. */
export { logLevels, type LogLevel } from './log-level.ts'
export type { SettingValues } from './settings.ts'
