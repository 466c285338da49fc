import { join } from 'node:path'
import type { SettingValues } from '../settings/door.ts'
import type { HostingSettings } from './hosting.ts'
import { parseGitHosts } from './hosts.ts'

/**
 * The settings of repositories; `loadConfig` checked them before.
 * @param folder of the workspace
 */
export const hostingOf = (
  values: Pick<
    SettingValues,
    'gitHosts' | 'mirrorFolder' | 'mirrorQuota' | 'hooks.ipEnforcement' | 'hooks.ipStrict' | 'hooks.proxyHops'
  >,
  folder: string,
): HostingSettings => ({
  hosts: parseGitHosts(values.gitHosts) ?? [],
  mirrorFolder: values.mirrorFolder ?? join(folder, 'mirrors'),
  mirrorQuotaBytes: values.mirrorQuota * 1024 * 1024,
  hooks: {
    isEnforced: values['hooks.ipEnforcement'],
    isStrict: values['hooks.ipStrict'],
    proxyHops: values['hooks.proxyHops'],
  },
})
