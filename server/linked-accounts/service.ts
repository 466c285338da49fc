import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { draftBindings, linkedAccounts, repositories } from '../../db/tables.gen.ts'
import type { GitProvider, LinkedAccount } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import type { Credential, RepositoryPage } from '../hosting/door.ts'
import { schedule, unschedule } from '../schedule/door.ts'
import { nextVerification } from './expiry.ts'
import { openCredential } from './credential.ts'
import { removeTokens } from './keep.ts'
import {
  assertMayChange,
  findAccount,
  ofTenant,
  toLinkedAccount,
  visibleTo,
  type AccountRow,
  type Uses,
} from './record.ts'
import { verifyAccount } from './verify.ts'

/** A token that a person gave stays as it is. */
const notRenewed = { refreshSecretId: null, tokenExpiresAt: null, renewingUntil: null, installationId: null } as const

const unused: Uses = { repositories: 0, bindings: 0 }

async function usesOf(reader: Reader, { id, tenantId }: AccountRow): Promise<Uses> {
  const used = inTenant(repositories, tenantId, eq(repositories.linkedAccountId, id))
  const ofRepositories = await reader.$count(repositories, used)
  const bound = inTenant(
    draftBindings,
    tenantId,
    eq(draftBindings.linkedAccountId, id),
    eq(draftBindings.isActive, true),
  )
  const bindings = await reader.$count(draftBindings, bound)
  return { repositories: ofRepositories, bindings }
}

const shown = async (deps: Deps, reader: Reader, row: AccountRow): Promise<LinkedAccount> =>
  toLinkedAccount(row, deps.clock.now(), await usesOf(reader, row))

/** The accounts that a caller may see, newest first. */
export async function listAccounts(deps: Deps, grant: Grant, page: StablePage) {
  const mine = inTenant(linkedAccounts, tenantOf(grant).id, visibleTo(grant))
  const { read } = deps.db
  const { rows, page: counts } = await readStablePage(read, linkedAccounts, {
    where: mine,
    order: [linkedAccounts.createdAt, linkedAccounts.id],
    page,
    added: linkedAccounts.createdAt,
    now: deps.clock.iso(),
  })
  const accounts = await Promise.all(rows.map((row) => shown(deps, read, row)))
  return { linked_accounts: accounts, count: accounts.length, ...counts }
}

/** @throws SvcError `linked-account-not-found` */
export const getAccount = async (deps: Deps, grant: Grant, id: string): Promise<LinkedAccount> =>
  shown(deps, deps.db.read, await findAccount(deps.db.read, grant, id))

export interface AccountInput {
  readonly provider: GitProvider
  readonly host?: string | null
  readonly token: string
  readonly email?: string | null
  readonly owner?: 'user' | 'tenant'
}

/**
 * Links an account after its provider said who the token belongs to.
 * @throws SvcError `provider-unsupported`, `account-token-refused`, `linked-account-exists`, `permission-denied`, `provider-failed`,
 *   `egress-denied`, `fetch-failed`, `secret-key-missing`
 */
export async function createAccount(
  deps: Deps,
  grant: Grant,
  input: AccountInput,
  signal: AbortSignal,
): Promise<LinkedAccount> {
  const { id: tenantId } = tenantOf(grant)
  const owner = input.owner === 'tenant' ? ofTenant : personOf(grant)
  assertMayChange(grant, owner)
  const { provider, token } = input
  const host = deps.hosting.hosts.read(provider, input.host ?? null)
  const credential: Credential = { provider, host, token, email: input.email ?? null }
  const found = await deps.hosting.api.identify(credential, signal)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const secret = await deps.vault.seal(tx, { tenantId, purpose: 'linked-account', secret: token })
    const row: AccountRow = {
      id: newId(),
      tenantId,
      owner,
      provider,
      host,
      kind: 'token',
      login: found.login,
      email: credential.email,
      scopes: [...found.scopes],
      secretId: secret.id,
      ...notRenewed,
      status: 'active',
      expiresAt: found.expiresAt,
      lastVerifiedAt: at,
      lastError: null,
      noticedDays: null,
      createdBy: actorOf(grant),
      createdAt: at,
      updatedAt: at,
    }
    try {
      await tx.savepoint((inner) => inner.insert(linkedAccounts).values(row))
    } catch (error) {
      if (isUniqueViolation(error)) throw new SvcError('linked-account-exists', { login: row.login, host })
      throw error
    }
    await schedule(tx, 'account.verify', {
      subjectId: row.id,
      tenantId,
      at: nextVerification(deps.clock.now(), row.expiresAt),
    })
    await audit(tx, grant, row, 'linked-account.created', at)
    return toLinkedAccount(row, deps.clock.now(), unused)
  })
}

const audit = (
  tx: Transaction,
  { principal: actor }: Grant,
  { id: targetId, tenantId, provider, host, login, owner }: AccountRow,
  action: 'linked-account.created' | 'linked-account.token-replaced' | 'linked-account.deleted',
  at: string,
): Promise<void> => recordAudit(tx, { tenantId, actor, action, targetId, detail: { provider, host, login, owner }, at })

/**
 * Replaces the token of an account by another one of the same login.
 * @throws SvcError `linked-account-not-found`, `account-token-refused`, `account-other-login`, `permission-denied`, `provider-failed`,
 *   `egress-denied`, `fetch-failed`, `secret-key-missing`
 */
export async function replaceToken(
  deps: Deps,
  grant: Grant,
  id: string,
  input: { readonly token: string; readonly email?: string | null },
  signal: AbortSignal,
): Promise<LinkedAccount> {
  const before = await findAccount(deps.db.read, grant, id)
  assertMayChange(grant, before.owner)
  const { provider, host, tenantId, login } = before
  if (before.kind === 'app') throw new SvcError('account-without-token', { login, host })
  const email = input.email === undefined ? before.email : input.email
  const found = await deps.hosting.api.identify({ provider, host, token: input.token, email }, signal)
  if (found.login !== login) throw new SvcError('account-other-login', { found: found.login, login })
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`linked-account ${id}`)
    const row = await findAccount(tx, grant, id)
    const secret = await deps.vault.seal(tx, { tenantId, purpose: 'linked-account', secret: input.token })
    const [next] = await tx
      .update(linkedAccounts)
      .set({
        email,
        kind: 'token',
        secretId: secret.id,
        ...notRenewed,
        scopes: [...found.scopes],
        expiresAt: found.expiresAt,
        status: 'active',
        noticedDays: null,
        lastError: null,
        lastVerifiedAt: at,
        updatedAt: at,
      })
      .where(inTenant(linkedAccounts, tenantId, eq(linkedAccounts.id, id)))
      .returning()
    if (!next) throw new SvcError('linked-account-not-found', { account: id })
    await removeTokens(deps, tx, row)
    await audit(tx, grant, next, 'linked-account.token-replaced', at)
    return shown(deps, tx, next)
  })
}

/**
 * Asks the provider now.
 * @throws SvcError `linked-account-not-found`, `permission-denied`, `secret-unreadable`, `secret-key-unusable`
 */
export async function verifyNow(deps: Deps, grant: Grant, id: string, signal: AbortSignal): Promise<LinkedAccount> {
  const row = await findAccount(deps.db.read, grant, id)
  assertMayChange(grant, row.owner)
  const next = await verifyAccount(deps, row, signal)
  // Null: its token was replaced meanwhile, and verified with that.
  return shown(deps, deps.db.read, next ?? (await findAccount(deps.db.read, grant, id)))
}

/** @throws SvcError `linked-account-not-found`, `account-in-use`, `permission-denied` */
export async function removeAccount(deps: Deps, grant: Grant, id: string): Promise<void> {
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    const row = await findAccount(tx, grant, id)
    assertMayChange(grant, row.owner)
    const used = await usesOf(tx, row)
    if (used.repositories + used.bindings > 0) throw new SvcError('account-in-use', { login: row.login, ...used })
    await tx.delete(linkedAccounts).where(inTenant(linkedAccounts, row.tenantId, eq(linkedAccounts.id, id)))
    await removeTokens(deps, tx, row)
    await unschedule(tx, 'account.verify', id)
    await audit(tx, grant, row, 'linked-account.deleted', at)
  })
}

/**
 * The repositories that an account can read, a page of its provider at a time.
 * @throws SvcError `linked-account-not-found`, `account-token-refused`, `provider-failed`, `egress-denied`, `fetch-failed`,
 *   `secret-unreadable`
 */
export async function listRepositories(
  deps: Deps,
  grant: Grant,
  id: string,
  query: { readonly q?: string; readonly cursor?: string },
  signal: AbortSignal,
) {
  const row = await findAccount(deps.db.read, grant, id)
  const credential = await openCredential(deps, row)
  if (credential === null) throw new SvcError('linked-account-not-found', { account: id })
  const page = { query: query.q ?? '', cursor: query.cursor ?? null }
  const found: RepositoryPage = await deps.hosting.api.repositories(credential, page, signal)
  return { repositories: [...found.repositories], next_cursor: found.next }
}
