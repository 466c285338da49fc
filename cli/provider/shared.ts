/** What the commands about git providers share: they work where the data is, without a server. */
import { SvcError } from '../../src/errors.ts'
import { gitProviders, type GitProvider } from '../../src/api/linked-accounts.ts'
import type { GitProviderRecord } from '../../src/api/providers.ts'
import type { GitHosts } from '../../server/hosting/hosts.ts'
import type { ClientStore } from '../../server/providers/clients.ts'
import { loadConfig } from '../configuration.ts'
import { databaseTarget, workspaceFolder } from '../connection/workspace.ts'
import type { Invocation } from '../declare.ts'
import { readFirstLine } from '../input/named-file.ts'
import { renderTable } from '../table.ts'

export const providerArgument = {
  name: 'provider',
  required: true,
  summary: 'github, gitlab or bitbucket',
  choices: gitProviders,
} as const

export const hostOption = {
  host: { type: 'string', placeholder: 'HOST', summary: 'host of a self-managed provider: HOST or HOST:PORT' },
} as const

/** The provider that an argument names; its choices were checked before. */
export const providerOf = (text: string): GitProvider => gitProviders.find((one) => one === text) ?? 'github'

/** What the commands work with. */
export interface ProviderStore extends ClientStore {
  readonly hosts: GitHosts
  /** Where the service is reached; null where SVC_PUBLIC_URL is not set. */
  readonly publicUrl: string | null
}

/**
 * Opens the database of the workspace, or of SVC_DATABASE_URL, with the keys of its secrets.
 * @throws SvcError `usage` with --base-url; `workspace-unusable`, `database-unavailable`, `database-newer`
 */
export async function withProviders<T>(
  { globals, env, cwd }: Invocation<unknown, unknown>,
  work: (store: ProviderStore) => Promise<T>,
): Promise<T> {
  if (globals.baseUrl !== undefined)
    throw new SvcError('usage', {
      reason:
        'Git providers are set up on the machine that has the data, not with --base-url; the operator can also use the application',
    })
  const { values } = loadConfig({ globals, env, cwd })
  const folder = workspaceFolder(values.workspace ?? undefined, env, cwd)
  const target = databaseTarget(folder, values.databaseUrl ?? undefined)
  const [{ KeyRing }, { Vault }, { keySourceOf }, { openDatabase }, { clockOf }, { GitHosts, parseGitHosts }] =
    await Promise.all([
      import('../../server/vault/keys.ts'),
      import('../../server/vault/vault.ts'),
      import('../../server/vault/settings.ts'),
      import('../../db/open.ts'),
      import('../../db/clock.ts'),
      import('../../server/hosting/hosts.ts'),
    ])
  const db = await openDatabase(target)
  try {
    const clock = clockOf()
    const vault = new Vault(new KeyRing(keySourceOf(values, folder, target)), clock)
    const hosts = new GitHosts(parseGitHosts(values.gitHosts) ?? [])
    return await work({ db, clock, vault, hosts, publicUrl: values.publicUrl?.replace(/\/+$/, '') ?? null })
  } finally {
    await db.close()
  }
}

/**
 * A secret from the variable, or from standard input; never from the command line.
 * @throws SvcError `usage` where there is none
 */
export async function readSecret(
  { io, env }: Invocation<unknown, unknown>,
  given: { readonly variable: string; readonly option: string; readonly fromInput: boolean },
): Promise<string> {
  const { variable, option, fromInput } = given
  const text = fromInput ? await readFirstLine({ io }) : env[variable]?.trim()
  if (text !== undefined && text !== '') return text
  throw new SvcError('usage', { reason: `Missing secret: pipe it to ${option}, or set ${variable}` })
}

/** Providers as a table. */
export const renderProviders = (all: readonly GitProviderRecord[]): string =>
  renderTable(
    ['PROVIDER', 'HOST', 'OAUTH CLIENT', 'SECRET', 'APP'],
    all.map(({ provider, host, oauth, app }) => [
      provider,
      host,
      oauth?.client_id ?? '-',
      oauth?.secret_fingerprint ?? '-',
      app?.slug ?? '-',
    ]),
  )
