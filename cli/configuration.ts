import { readConfig, type Config } from '../server/config.ts'
import { findConfigFile } from '../server/config-file.ts'
import type { SettingKey } from '../server/settings.ts'
import type { Invocation } from './declare.ts'

/**
 * The effective configuration of this invocation: --workspace and the flags of the command, then variables, then the
 * file, then defaults.
 * @throws SvcError `config-invalid`
 */
export const loadConfig = (
  { env, cwd, globals }: Pick<Invocation, 'env' | 'cwd' | 'globals'>,
  flags: Readonly<Partial<Record<SettingKey, string>>> = {},
): Config => {
  const named = globals.workspace !== undefined && globals.workspace !== env.SVC_WORKSPACE
  return readConfig({
    flags: named && globals.workspace !== undefined ? { workspace: globals.workspace, ...flags } : flags,
    env,
    file: findConfigFile(env, cwd),
  })
}
