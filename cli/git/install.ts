/** `svc git install` and `svc git uninstall`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { Invocation, Result } from '../declare.ts'
import { unwritableFile } from '../input/file-error.ts'
import { git, lines, type Repository } from '../input/git/process.ts'
import { driverName, driverSettings, programWords, withDrivers, withoutDrivers } from './drivers.ts'

type InstallInvocation = Invocation<unknown, { readonly global: boolean }>

/** The attributes file of a repository, or of the account (gitattributes(5)). @throws SvcError `usage` outside of a repository */
async function attributesFile(isGlobal: boolean, repository: Repository, env: Invocation['env']): Promise<string> {
  if (!isGlobal) {
    const [folder] = (await lines(['rev-parse', '--git-path', 'info/attributes'], repository)) ?? []
    if (folder === undefined)
      throw new SvcError('usage', { reason: 'The current folder is in no git repository: go to one, or use --global' })
    return resolve(repository.cwd, folder)
  }
  const [named] = (await lines(['config', '--global', '--type=path', '--get', 'core.attributesFile'], repository)) ?? []
  const home = env.HOME ?? homedir()
  const folder = (env.XDG_CONFIG_HOME ?? '') === '' ? join(home, '.config') : env.XDG_CONFIG_HOME!
  return named === undefined ? join(folder, 'git', 'attributes') : resolve(home, named)
}

async function configure(words: readonly string[], repository: Repository): Promise<void> {
  const { code, complaint } = await git(['config', ...words], repository)
  // 5: there is no such section to remove.
  if (code !== 0 && code !== 5 && !complaint.includes('no such section'))
    throw new SvcError('git-refused', {
      reason: complaint.replace(/^(?:error|fatal): /, '') || `git config ended with ${code}`,
    })
}

async function rewriteFile(path: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => '')
  const after = change(before)
  if (after === before) return
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, after)
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/**
 * Registers the drivers, or takes them away. What others wrote into the files of git stays.
 * @throws SvcError `usage` outside of a repository, `git-refused`, `file-unwritable`
 */
export async function installDrivers(
  { options, cwd, signal, env }: InstallInvocation,
  isInstalled: boolean,
): Promise<Result> {
  const repository = { cwd, signal }
  const { global: isGlobal } = options
  const where = isGlobal ? ['--global'] : ['--local']
  const attributes = await attributesFile(isGlobal, repository, env)
  const settings = driverSettings(programWords())
  for (const kind of ['merge', 'diff'])
    await configure([...where, '--remove-section', `${kind}.${driverName}`], repository)
  if (isInstalled) for (const [key, value] of settings) await configure([...where, key, value], repository)
  await rewriteFile(attributes, isInstalled ? withDrivers : withoutDrivers)
  const scope = isGlobal ? 'all of your repositories' : 'this repository'
  return {
    data: { global: isGlobal, attributes, settings: isInstalled ? Object.fromEntries(settings) : {} },
    text: isInstalled
      ? `git merges and compares API descriptions with svc in ${scope}.\nAttributes: ${attributes}\n`
      : `git merges and compares by lines again in ${scope}.\n`,
  }
}
