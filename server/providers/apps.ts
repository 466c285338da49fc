import { and, asc, eq } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { gitApps, linkedAccounts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { type Principal, recordAudit } from '../auth/door.ts'
import type { AppKey, GitOAuthClient, MadeApp } from '../hosting/door.ts'
import type { ClientStore } from './clients.ts'

/** The GitHub Apps of the service: one at each host. */
export type AppRow = typeof gitApps.$inferSelect

export const appRows = (reader: Reader): Promise<AppRow[]> => reader.select().from(gitApps).orderBy(asc(gitApps.host))

/** @throws SvcError `git-app-missing` */
export async function findApp(reader: Reader, host: string): Promise<AppRow> {
  const [row] = await reader.select().from(gitApps).where(eq(gitApps.host, host))
  if (!row) throw new SvcError('git-app-missing', { host })
  return row
}

async function open(store: ClientStore, { host }: AppRow, id: string): Promise<string> {
  const secret = (await store.vault.open(store.db.read, null, 'git-app', [id])).get(id)
  if (secret === undefined) throw new SvcError('git-app-missing', { host })
  return secret
}

/**
 * The App of a host with its key.
 * @throws SvcError `git-app-missing`, `secret-unreadable`, `secret-key-unusable`
 */
export async function openAppKey(store: ClientStore, host: string): Promise<AppKey> {
  const row = await findApp(store.db.read, host)
  return { host, appId: row.appId, privateKey: await open(store, row, row.keySecretId) }
}

/**
 * The App of a host as an OAuth client, by which people prove who they are. What it may do is decided where it is installed.
 * @throws SvcError `git-app-missing`, `secret-unreadable`, `secret-key-unusable`
 */
export async function openAppClient(store: ClientStore, host: string): Promise<GitOAuthClient> {
  const row = await findApp(store.db.read, host)
  const clientSecret = await open(store, row, row.clientSecretId)
  return { provider: 'github', host, clientId: row.clientId, clientSecret, scopes: '' }
}

/** The secret that deliveries of an App are signed with. @throws SvcError `secret-unreadable`, `secret-key-unusable` */
export const openHookSecret = (store: ClientStore, row: AppRow): Promise<string> =>
  open(store, row, row.hookSecretId ?? '')

/**
 * Stores an App that was made.
 * @param hookToken the last part of the address that it reports to; null: it reports nothing
 * @throws SvcError `git-app-exists`, `secret-key-missing`, `secret-key-unusable`
 */
export async function keepApp(
  store: ClientStore,
  actor: Principal | null,
  host: string,
  made: MadeApp,
  hookToken: string | null,
): Promise<AppRow> {
  const at = store.clock.iso()
  return store.db.inTransaction(async (tx) => {
    const seal = (secret: string) => store.vault.seal(tx, { tenantId: null, purpose: 'git-app', secret })
    const key = await seal(made.privateKey)
    const isHeard = hookToken !== null && made.hookSecret !== null
    const { appId, slug, name, htmlUrl, ownerLogin, clientId } = made
    const row: AppRow = {
      id: newId(),
      host,
      appId,
      slug,
      name,
      htmlUrl,
      ownerLogin,
      clientId,
      clientSecretId: (await seal(made.clientSecret)).id,
      keySecretId: key.id,
      keyFingerprint: key.fingerprint,
      hookToken: isHeard ? hookToken : null,
      hookSecretId: isHeard ? (await seal(made.hookSecret ?? '')).id : null,
      lastDeliveryAt: null,
      createdAt: at,
    }
    try {
      await tx.savepoint((inner) => inner.insert(gitApps).values(row))
    } catch (error) {
      if (isUniqueViolation(error)) throw new SvcError('git-app-exists', { host })
      throw error
    }
    const detail = { provider: 'github', host, app_id: appId, slug }
    await recordAudit(tx, { tenantId: null, actor, action: 'git-provider.app-made', targetId: row.id, detail, at })
    return row
  })
}

/**
 * Forgets the App of a host, with its secrets; at the provider it stays until someone deletes it there.
 * @throws SvcError `git-app-missing`, `git-app-in-use`
 */
export async function removeApp(store: ClientStore, actor: Principal | null, host: string): Promise<void> {
  await store.db.inTransaction(async (tx) => {
    const row = await findApp(tx, host)
    // Of any organization: the App is of the service.
    const used = and(eq(linkedAccounts.host, host), eq(linkedAccounts.kind, 'app'))
    const accounts = await tx.$count(linkedAccounts, used)
    if (accounts > 0) throw new SvcError('git-app-in-use', { host, accounts })
    await tx.delete(gitApps).where(eq(gitApps.id, row.id))
    for (const id of [row.clientSecretId, row.keySecretId, row.hookSecretId])
      if (id !== null) await store.vault.remove(tx, null, id)
    const detail = { provider: 'github', host, app_id: row.appId, slug: row.slug }
    const at = store.clock.iso()
    await recordAudit(tx, { tenantId: null, actor, action: 'git-provider.app-removed', targetId: row.id, detail, at })
  })
}
