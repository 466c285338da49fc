import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SvcError } from '../src/errors.ts'
import type { ConfigFile } from './config.ts'

type Env = Readonly<Record<string, string | undefined>>

const names = ['svc.config.yaml', 'svc.config.yml', 'svc.config.json']

/** Where a configuration file is looked for: the one that SVC_CONFIG names, else svc.config.* of the current folder. */
export const configCandidates = (env: Env, cwd: string): readonly string[] =>
  env.SVC_CONFIG === undefined || env.SVC_CONFIG === ''
    ? names.map((name) => join(cwd, name))
    : [resolve(cwd, env.SVC_CONFIG)]

/**
 * Finds and reads the configuration file; null where there is none.
 * @throws SvcError `config-invalid` where SVC_CONFIG names no file, a file cannot be read, or there are two of them
 */
export const findConfigFile = (env: Env, cwd: string): ConfigFile | null => {
  const found = configCandidates(env, cwd).filter((path) => existsSync(path))
  const [path, other] = found
  if (path === undefined) {
    if (env.SVC_CONFIG === undefined || env.SVC_CONFIG === '') return null
    throw new SvcError('config-invalid', { problems: [`SVC_CONFIG names ${env.SVC_CONFIG}, which does not exist`] })
  }
  if (other !== undefined) {
    throw new SvcError('config-invalid', { problems: [`there are two files, ${path} and ${other}; keep one`] })
  }
  try {
    return { path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SvcError('config-invalid', { problems: [`${path} cannot be read: ${reason}`] })
  }
}
