/** What the commands about people share: they work where the data is, without a server. */
import { clockOf } from '../../db/clock.ts'
import type { Deps } from '../../server/kit/deps.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { loadConfig } from '../configuration.ts'
import { databaseTarget, workspaceFolder } from '../connection/workspace.ts'

/**
 * The password from standard input (its first line) or from the variable; never from the command line.
 * @throws SvcError `usage`
 */
export async function readPassword({ io, env }: Invocation<unknown, unknown>, fromInput: boolean): Promise<string> {
  if (fromInput) return new TextDecoder().decode(await io.stdin()).split(/\r?\n/, 1)[0] ?? ''
  const given = env.SVC_USER_PASSWORD
  if (given !== undefined && given !== '') return given
  throw new SvcError('usage', {
    reason: 'Missing password: pipe it to --password-stdin, or set SVC_USER_PASSWORD',
  })
}

/**
 * Opens the database of the workspace, or of SVC_DATABASE_URL, for work on people.
 * @throws SvcError `usage` with --base-url; `workspace-unusable`, `database-unavailable`, `database-newer`
 */
export async function withIdentity<T>(
  { globals, env, cwd }: Invocation<unknown, unknown>,
  work: (store: Pick<Deps, 'db' | 'clock' | 'vault' | 'publicUrl'>) => Promise<T>,
): Promise<T> {
  if (globals.baseUrl !== undefined)
    throw new SvcError('usage', {
      reason:
        'User accounts and API keys are managed on the machine that has the data, not with --base-url; the application can invite members and create keys',
    })
  const [{ openDatabase }, { KeyRing }, { keySourceOf }, { Vault }] = await Promise.all([
    import('../../db/open.ts'),
    import('../../server/vault/keys.ts'),
    import('../../server/vault/settings.ts'),
    import('../../server/vault/vault.ts'),
  ])
  const { values } = loadConfig({ globals, env, cwd })
  const folder = workspaceFolder(values.workspace ?? undefined, env, cwd)
  const target = databaseTarget(folder, values.databaseUrl ?? undefined)
  const db = await openDatabase(target)
  const clock = clockOf()
  try {
    const publicUrl = () => values.publicUrl?.replace(/\/+$/, '') ?? ''
    const vault = new Vault(new KeyRing(keySourceOf(values, folder, target)), clock)
    return await work({ db, clock, vault, publicUrl })
  } finally {
    await db.close()
  }
}
