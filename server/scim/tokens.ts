import { and, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, isThere } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { scimTokens } from '../../db/tables.gen.ts'
import type { NewScimToken, ScimToken } from '../../src/api/scim.ts'
import { SvcError } from '../../src/errors.ts'
import { addressOf, type Grant, makeKey, personOf, readKey, recordAudit, spendAddress, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'

type TokenRow = typeof scimTokens.$inferSelect

const defaultDays = 365
const dayMs = 86_400_000
/** `last_used_at` is written at most this often. */
const touchEveryMs = 60_000

const recordOf = (row: TokenRow): ScimToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created_by: row.createdBy,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  last_used_at: row.lastUsedAt,
})

/** A page of the tokens of an organization's directory, newest first. */
export async function listTokens(deps: Deps, grant: Grant, page: StablePage) {
  const { rows, page: counts } = await readStablePage(deps.db.read, scimTokens, {
    where: inTenant(scimTokens, tenantOf(grant).id),
    order: [scimTokens.createdAt, scimTokens.id],
    page,
    added: scimTokens.createdAt,
    now: deps.clock.iso(),
  })
  return { items: rows.map(recordOf), ...counts }
}

/**
 * Creates a token. The answer has it, this once.
 * @throws SvcError `scim-token-taken`
 */
export async function createToken(
  deps: Deps,
  grant: Grant,
  given: { readonly name: string; readonly days?: number | undefined },
): Promise<NewScimToken> {
  const { id: tenantId } = tenantOf(grant)
  const token = makeKey('scim')
  const { prefix = '', hash = '' } = readKey(token) ?? {}
  const now = deps.clock.now()
  const row: TokenRow = {
    id: newId(),
    tenantId,
    name: given.name,
    prefix,
    tokenHash: hash,
    createdBy: personOf(grant),
    createdAt: isoOf(now),
    expiresAt: isoOf(now + (given.days ?? defaultDays) * dayMs),
    lastUsedAt: null,
  }
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`scim-tokens:${tenantId}`)
    const [same] = await tx
      .select({ id: scimTokens.id })
      .from(scimTokens)
      .where(inTenant(scimTokens, tenantId, eq(scimTokens.name, row.name)))
    if (same !== undefined) throw new SvcError('scim-token-taken', { token: row.name })
    await tx.insert(scimTokens).values(row)
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'scim-token.created',
      targetId: row.id,
      detail: { name: row.name, expires_at: row.expiresAt },
      at: row.createdAt,
    })
  })
  return { ...recordOf(row), token, url: `${deps.publicUrl()}/scim/v2` }
}

/**
 * Deletes a token.
 * @throws SvcError `scim-token-not-found`
 */
export async function removeToken(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const [gone] = await tx
      .delete(scimTokens)
      .where(inTenant(scimTokens, tenantId, eq(scimTokens.id, id)))
      .returning({ name: scimTokens.name })
    if (gone === undefined) throw new SvcError('scim-token-not-found', { token: id })
    const entry = {
      tenantId,
      actor: grant.principal,
      action: 'scim-token.deleted',
      targetId: id,
      detail: gone,
    } as const
    await recordAudit(tx, { ...entry, at: deps.clock.iso() })
  })
}

/** The organization whose directory asks, and the token by its name. */
export interface Directory {
  readonly tenantId: string
  readonly token: string
}

async function findToken(deps: Deps, request: Request): Promise<TokenRow> {
  const refuse = (reason: string): SvcError => new SvcError('scim-token-refused', { reason })
  const [, text = ''] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization')?.trim() ?? '') ?? []
  if (text === '') throw refuse('the request has no "Authorization: Bearer TOKEN"')
  const key = readKey(text)
  if (key?.kind !== 'scim') throw refuse('it is no token of a directory, or incomplete')
  const [row] = await deps.db.read
    .select()
    .from(scimTokens)
    .where(and(eq(scimTokens.tokenHash, key.hash), isThere(scimTokens.tenantId)))
  if (row === undefined) throw refuse('it is unknown or was deleted')
  if (row.expiresAt <= deps.clock.iso()) throw refuse(`${row.prefix}… has expired`)
  return row
}

/**
 * The organization of a request, by its token. One that is not good counts as an attempt to sign in.
 * @throws SvcError `scim-token-refused`, `auth-rate-limited`
 */
export async function directoryOf(deps: Deps, request: Request): Promise<Directory> {
  const row = await findToken(deps, request).catch(async (error: unknown) => {
    await spendAddress(deps.db, addressOf(request), deps.clock.now())
    throw error
  })
  const { tenantId, name } = row
  const now = deps.clock.now()
  const own = inTenant(scimTokens, tenantId, eq(scimTokens.id, row.id))
  if (row.lastUsedAt === null || row.lastUsedAt <= isoOf(now - touchEveryMs))
    // A note that fails must not fail the request.
    await deps.db
      .inTransaction((tx) =>
        tx
          .update(scimTokens)
          .set({ lastUsedAt: isoOf(now) })
          .where(own),
      )
      .catch(() => {})
  return { tenantId, token: name }
}
