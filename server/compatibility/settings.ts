import type { SettingValues } from '../settings/door.ts'
import type { CompatibilitySettings } from './check.ts'
import { diffToolCommand } from './diff-tool.ts'

/** What a configuration says of compatibility. */
export const compatibilityOf = (values: SettingValues): CompatibilitySettings => ({
  diffTool: diffToolCommand(values['compat.diffTool']),
  issueUrl: values['compat.issueUrl'],
})
