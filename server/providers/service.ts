import type { GitProvider } from '../../src/api/linked-accounts.ts'
import type { GitProviderRecord } from '../../src/api/providers.ts'
import type { Reader } from '../../db/database.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { appRows, removeApp, type AppRow } from './apps.ts'
import { clientRows, removeClient, setClient, type ClientRow } from './clients.ts'

/** Where providers send browsers back to. */
export const callbackPath = '/v1/auth/linked-accounts/callback'

/** What is registered at the hosts of all providers. */
export async function providerRecords(
  reader: Reader,
  hosts: Pick<Deps['hosting']['hosts'], 'all'>,
): Promise<GitProviderRecord[]> {
  const clients = await clientRows(reader)
  const apps = (await appRows(reader)).map((app) => ({ ...app, provider: 'github' as const }))
  const known = new Map<string, { provider: GitProvider; host: string }>()
  for (const { provider, host } of [...hosts.all(), ...clients, ...apps])
    known.set(`${provider} ${host}`, { provider, host })
  return [...known.values()].map(({ provider, host }) => ({
    provider,
    host,
    oauth: shownClient(clients.find((one) => one.provider === provider && one.host === host)),
    app: shownApp(apps.find((one) => one.provider === provider && one.host === host)),
  }))
}

const shownClient = (row: ClientRow | undefined): GitProviderRecord['oauth'] =>
  row === undefined
    ? null
    : {
        client_id: row.clientId,
        secret_fingerprint: row.fingerprint,
        scopes: row.scopes,
        updated_at: row.updatedAt,
      }

const shownApp = (row: AppRow | undefined): GitProviderRecord['app'] =>
  row === undefined
    ? null
    : {
        app_id: row.appId,
        slug: row.slug,
        name: row.name,
        html_url: row.htmlUrl,
        owner: row.ownerLogin,
        webhook: row.hookToken !== null,
        key_fingerprint: row.keyFingerprint,
        last_delivery_at: row.lastDeliveryAt,
        created_at: row.createdAt,
      }

/** What is registered at providers, and the address to register there. */
export async function listProviders(deps: Deps) {
  return {
    callback_url: `${deps.publicUrl()}${callbackPath}`,
    providers: await providerRecords(deps.db.read, deps.hosting.hosts),
  }
}

/** @throws SvcError `provider-unsupported`, `secret-key-missing`, `secret-key-unusable` */
export async function storeClient(
  deps: Deps,
  grant: Grant,
  provider: GitProvider,
  body: {
    readonly host?: string | null
    readonly client_id: string
    readonly client_secret: string
    readonly scopes?: string | null
  },
): Promise<GitProviderRecord> {
  const host = deps.hosting.hosts.read(provider, body.host ?? null)
  await setClient(deps, grant.principal, {
    provider,
    host,
    clientId: body.client_id,
    clientSecret: body.client_secret,
    scopes: body.scopes ?? null,
  })
  const all = await providerRecords(deps.db.read, deps.hosting.hosts)
  return all.find((one) => one.provider === provider && one.host === host) as GitProviderRecord
}

/** @throws SvcError `provider-unsupported`, `provider-client-missing` */
export async function dropClient(deps: Deps, grant: Grant, provider: GitProvider, host: string | null): Promise<void> {
  await removeClient(deps, grant.principal, provider, deps.hosting.hosts.read(provider, host))
}

/** @throws SvcError `provider-unsupported`, `git-app-missing`, `git-app-in-use` */
export async function dropApp(deps: Deps, grant: Grant, host: string | null): Promise<void> {
  await removeApp(deps, grant.principal, deps.hosting.hosts.read('github', host))
}
