/** Where the local workspace is. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { DatabaseTarget } from '../../db/open.ts'
import type { SettingValues } from '../../server/settings/settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The nearest `.svc` folder from `cwd` upward; null where there is none. */
function nearestWorkspace(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, '.svc')
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return null
  }
}

/**
 * The folder of the local workspace: the one named (by option, variable or configuration), else the nearest `.svc`, else
 * the user's data folder (XDG Base Directory Specification; on macOS and Windows the platform's own).
 */
export function workspaceFolder(named: string | undefined, env: Env, cwd: string): string {
  if (named !== undefined && named !== '') return resolve(cwd, named)
  const near = nearestWorkspace(cwd)
  if (near !== null) return near
  if (env.XDG_DATA_HOME) return join(env.XDG_DATA_HOME, 'svc')
  const home = env.HOME ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'svc')
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'svc')
  return join(home, '.local', 'share', 'svc')
}

/** Whether the local workspace exists; one in Postgres always counts as existing. */
export const hasWorkspace = (
  {
    workspace,
    databaseUrl,
  }: { readonly workspace: string | null | undefined; readonly databaseUrl: string | null | undefined },
  env: Env,
  cwd: string,
): boolean => {
  const target = databaseTarget(workspaceFolder(workspace ?? undefined, env, cwd), databaseUrl ?? undefined)
  return target.kind === 'postgres' || existsSync(target.path)
}

/**
 * The database of a workspace: Postgres where an address is configured, else the file in the folder.
 * @param postgres how Postgres is used; the defaults when absent
 */
export const databaseTarget = (
  folder: string,
  databaseUrl: string | undefined,
  postgres: Pick<DatabaseTarget & { kind: 'postgres' }, 'currentUrl' | 'connections'> = {},
): DatabaseTarget =>
  databaseUrl === undefined || databaseUrl === ''
    ? { kind: 'sqlite', path: join(folder, 'svc.db') }
    : { kind: 'postgres', url: databaseUrl, ...postgres }

/** The same with the store of objects, if one is configured. */
export async function storedTarget(
  values: SettingValues,
  env: Env,
  folder: string,
  postgres: Parameters<typeof databaseTarget>[2] = {},
): Promise<DatabaseTarget> {
  const target = databaseTarget(folder, values.databaseUrl ?? undefined, postgres)
  if (!values['storage.url']) return target
  const { objectsOf } = await import('../../server/storage/door.ts')
  return { ...target, objects: objectsOf(values, env, folder) }
}
