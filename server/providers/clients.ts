import { and, asc, eq } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { providerClients } from '../../db/tables.gen.ts'
import type { GitProvider } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { type Principal, recordAudit } from '../auth/door.ts'
import type { Store } from '../kit/door.ts'
import type { GitOAuthClient } from '../hosting/door.ts'
import type { Vault } from '../vault/door.ts'

/** The OAuth clients of providers: the operator registers them, at one host each. */
export type ClientRow = typeof providerClients.$inferSelect

/** What keeps and reads their secrets. */
export type ClientStore = Store & { readonly vault: Vault }

const at = (provider: GitProvider, host: string) =>
  and(eq(providerClients.provider, provider), eq(providerClients.host, host))

export const clientRows = (reader: Reader): Promise<ClientRow[]> =>
  reader.select().from(providerClients).orderBy(asc(providerClients.host), asc(providerClients.provider))

/**
 * The client of a host, without its secret.
 * @throws SvcError `provider-oauth-missing`
 */
export async function findClient(reader: Reader, provider: GitProvider, host: string): Promise<ClientRow> {
  const [row] = await reader.select().from(providerClients).where(at(provider, host))
  if (!row) throw new SvcError('provider-oauth-missing', { host })
  return row
}

/**
 * The client of a host with its secret.
 * @throws SvcError `provider-oauth-missing`, `secret-unreadable`, `secret-key-unusable`
 */
export async function openClient(store: ClientStore, provider: GitProvider, host: string): Promise<GitOAuthClient> {
  const { read } = store.db
  const row = await findClient(read, provider, host)
  const secret = (await store.vault.open(read, null, 'provider-oauth', [row.secretId])).get(row.secretId)
  if (secret === undefined) throw new SvcError('provider-oauth-missing', { host })
  return { provider, host, clientId: row.clientId, clientSecret: secret, scopes: row.scopes }
}

export interface ClientInput {
  readonly provider: GitProvider
  /** As `GitHosts.read` gives it. */
  readonly host: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: string | null
}

/**
 * Stores the client of a host, in place of the one before.
 * @param actor who does it; null: the operator on the machine
 * @throws SvcError `secret-key-missing`, `secret-key-unusable`
 */
export async function setClient(store: ClientStore, actor: Principal | null, input: ClientInput): Promise<ClientRow> {
  const { provider, host, clientId, scopes } = input
  const updatedAt = store.clock.iso()
  return store.db.inTransaction(async (tx) => {
    await tx.lock(`provider-client ${provider} ${host}`)
    const [before] = await tx.select().from(providerClients).where(at(provider, host))
    const sealed = await store.vault.seal(tx, { tenantId: null, purpose: 'provider-oauth', secret: input.clientSecret })
    const set = { clientId, secretId: sealed.id, fingerprint: sealed.fingerprint, scopes, updatedAt }
    const row: ClientRow = {
      id: before?.id ?? newId(),
      provider,
      host,
      createdAt: before?.createdAt ?? updatedAt,
      ...set,
    }
    if (before === undefined) await tx.insert(providerClients).values(row)
    else {
      await tx.update(providerClients).set(set).where(at(provider, host))
      await store.vault.remove(tx, null, before.secretId)
    }
    await audit(tx, actor, row, 'git-provider.oauth-set', updatedAt)
    return row
  })
}

/** @throws SvcError `provider-client-missing` */
export async function removeClient(
  store: ClientStore,
  actor: Principal | null,
  provider: GitProvider,
  host: string,
): Promise<void> {
  await store.db.inTransaction(async (tx) => {
    const [row] = await tx.select().from(providerClients).where(at(provider, host))
    if (!row) throw new SvcError('provider-client-missing', { host })
    await tx.delete(providerClients).where(at(provider, host))
    await store.vault.remove(tx, null, row.secretId)
    await audit(tx, actor, row, 'git-provider.oauth-removed', store.clock.iso())
  })
}

const audit = (
  tx: Transaction,
  actor: Principal | null,
  { id: targetId, provider, host, clientId }: ClientRow,
  action: 'git-provider.oauth-set' | 'git-provider.oauth-removed',
  when: string,
): Promise<void> =>
  recordAudit(tx, {
    tenantId: null,
    actor,
    action,
    targetId,
    detail: { provider, host, client_id: clientId },
    at: when,
  })
