import { readConfig, type Config } from '../server/config.ts'
import { trustAuthorities } from '../server/egress/authorities.ts'
import { findConfigFile } from '../server/config-file.ts'
import type { SettingKey } from '../server/settings/settings.ts'
import type { Globals } from './globals.ts'

/** Where settings are read from, besides the flags of a command. */
export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly globals: Pick<Globals, 'workspace'>
}

/**
 * The effective configuration of this invocation: --workspace and the flags of the command, then variables, then the
 * file, then defaults. From now on this process trusts the certificate authorities it names.
 * @throws SvcError `config-invalid`
 */
export const loadConfig = (
  { env, cwd, globals: { workspace } }: ConfigSource,
  flags: Readonly<Partial<Record<SettingKey, string>>> = {},
  onSecretProblem?: (problem: string) => void,
): Config => {
  const config = readConfig({
    flags: workspace !== undefined && workspace !== env.SVC_WORKSPACE ? { workspace, ...flags } : flags,
    env,
    file: findConfigFile(env, cwd),
    ...(onSecretProblem === undefined ? {} : { onSecretProblem }),
  })
  trustAuthorities(config.values.egressCa)
  return config
}
