import type { SettingValues } from '../settings.ts'
import type { HostingSettings } from './hosting.ts'
import { parseGitHosts } from './hosts.ts'

/** The settings of repositories; `loadConfig` checked them before. */
export const hostingOf = (values: Pick<SettingValues, 'gitHosts'>): HostingSettings => ({
  hosts: parseGitHosts(values.gitHosts) ?? [],
})
