import { and, eq, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { trusts } from '../../db/tables.gen.ts'
import type { KeyScope } from '../../src/api/permissions.ts'
import type { TrustRecord } from '../../src/api/trusts.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { tooWide } from './conditions.ts'
import type { TrustRow } from './verify.ts'

const mostTrusts = 200
const defaultLifetimeSeconds = 900

const recordOf = (row: TrustRow): TrustRecord => ({
  id: row.id,
  name: row.name,
  issuer: row.issuer,
  jwks_uri: row.jwksUri,
  audience: row.audience,
  conditions: { ...row.conditions },
  scopes: [...row.scopes],
  lifetime_seconds: row.lifetimeSeconds,
  single_use: row.singleUse,
  created_by: row.createdBy,
  created_at: row.createdAt,
  last_used_at: row.lastUsedAt,
})

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Why an address of an issuer cannot be one; null where it can. Whether it may be reached is for the egress guard to say. */
function addressFault(text: string): string | null {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname))
  if (url === null || !isSafe) return `"${text}" is not an https address`
  return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
    ? null
    : `"${text}" must be without a query, a fragment and a password`
}

async function findTrust(reader: Reader, tenantId: string, named: string): Promise<TrustRow> {
  const [row] = await reader
    .select()
    .from(trusts)
    .where(inTenant(trusts, tenantId, or(eq(trusts.id, named), eq(trusts.name, named))))
  if (row === undefined) throw new SvcError('trust-not-found', { trust: named })
  return row
}

/** A page of the trusts of an organization, newest first. */
export async function listTrusts(deps: Deps, grant: Grant, { q, ...page }: StablePage & { readonly q: string | null }) {
  const matches = q === null ? undefined : or(contains(trusts.name, q), contains(trusts.issuer, q))
  const { rows, page: counts } = await readStablePage(deps.db.read, trusts, {
    where: inTenant(trusts, tenantOf(grant).id, matches),
    order: [trusts.createdAt, trusts.id],
    page,
    added: trusts.createdAt,
    now: deps.clock.iso(),
  })
  return { items: rows.map(recordOf), ...counts }
}

/** @throws SvcError `trust-not-found` */
export const getTrust = async (deps: Deps, grant: Grant, named: string): Promise<TrustRecord> =>
  recordOf(await findTrust(deps.db.read, tenantOf(grant).id, named))

interface NewTrust {
  readonly name: string
  readonly issuer: string
  readonly jwks_uri?: string | undefined
  readonly audience?: string | undefined
  readonly conditions: Readonly<Record<string, string>>
  readonly scopes: readonly KeyScope[]
  readonly lifetime_seconds?: number | undefined
  readonly single_use?: boolean | undefined
}

/** @throws SvcError `trust-invalid`, `scopes-invalid` */
function assertSound({ issuer, jwks_uri, conditions, scopes }: NewTrust, audience: string): void {
  const fault =
    addressFault(issuer) ??
    (jwks_uri === undefined ? null : addressFault(jwks_uri)) ??
    (audience === '' ? 'the service has no public address, so the audience must be given' : tooWide(issuer, conditions))
  if (fault !== null) throw new SvcError('trust-invalid', { reason: fault })
  if (scopes.includes('*') && scopes.length > 1) throw new SvcError('scopes-invalid', { scopes })
}

/**
 * Trusts tokens of an issuer for conditions.
 * @throws SvcError `trust-invalid`, `trust-name-taken`, `scopes-invalid`, `person-required`
 */
export function createTrust(deps: Deps, grant: Grant, given: NewTrust): Promise<TrustRecord> {
  const { id: tenantId } = tenantOf(grant)
  const audience = given.audience ?? deps.publicUrl()
  assertSound(given, audience)
  const row: TrustRow = {
    id: newId(),
    tenantId,
    name: given.name,
    issuer: given.issuer,
    jwksUri: given.jwks_uri ?? null,
    audience,
    conditions: given.conditions,
    scopes: [...new Set(given.scopes)].sort(),
    lifetimeSeconds: given.lifetime_seconds ?? defaultLifetimeSeconds,
    singleUse: given.single_use ?? false,
    createdBy: personOf(grant),
    createdAt: deps.clock.iso(),
    lastUsedAt: null,
  }
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`trusts:${tenantId}`)
    const names = await tx.select({ name: trusts.name }).from(trusts).where(inTenant(trusts, tenantId))
    if (names.some(({ name }) => name === row.name)) throw new SvcError('trust-name-taken', { trust: row.name })
    if (names.length >= mostTrusts)
      throw new SvcError('trust-invalid', { reason: `the organization has ${mostTrusts} trusts; remove one first` })
    await tx.insert(trusts).values(row)
    const { name, issuer, conditions, scopes } = row
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'trust.created',
      targetId: row.id,
      detail: { name, issuer, audience, conditions, scopes, lifetime_seconds: row.lifetimeSeconds },
      at: row.createdAt,
    })
    return recordOf(row)
  })
}

/**
 * Removes a trust, and with it every token that it gave.
 * @throws SvcError `trust-not-found`
 */
export async function removeTrust(deps: Deps, grant: Grant, named: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const { id, name, issuer } = await findTrust(tx, tenantId, named)
    await tx.delete(trusts).where(and(inTenant(trusts, tenantId), eq(trusts.id, id)))
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'trust.removed',
      targetId: id,
      detail: { name, issuer },
      at: deps.clock.iso(),
    })
  })
}
