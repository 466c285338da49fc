import { asc, eq } from 'drizzle-orm'
import type { JWTPayload } from 'jose'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { tenants, trusts, trustTokens } from '../../db/tables.gen.ts'
import { accessTokenType, type ExchangedToken, type TrustTrial } from '../../src/api/trusts.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, makeKey, readKey, recordAudit, spendAddress, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { formFault, type TrustIssuers, type TrustRow, unprovenClaims, verifyFor } from './verify.ts'

/** What the operations on trusts work with. */
type TrustDeps = Deps & { readonly issuers: TrustIssuers }

const refusal = (reason: string): SvcError => new SvcError('trust-refused', { reason })

/** The trusts of one organization that name an issuer, in the order in which they were added. */
const trustsOf = (deps: Deps, tenantId: string, issuer: string): Promise<TrustRow[]> =>
  deps.db.read
    .select()
    .from(trusts)
    .where(inTenant(trusts, tenantId, eq(trusts.issuer, issuer)))
    .orderBy(asc(trusts.createdAt), asc(trusts.id))

interface Taken {
  readonly trust: TrustRow
  readonly claims: JWTPayload
}

/**
 * The first trust of an organization that takes a token. Strangers learn what is wrong with their token, and not which claims
 * the organization wants.
 * @throws SvcError `trust-refused`, `issuer-unavailable`
 */
async function take(deps: TrustDeps, tenantSlug: string, token: string, named: string | null): Promise<Taken> {
  const fault = formFault(token)
  if (fault !== null) throw refusal(fault)
  const { iss = '' } = unprovenClaims(token) ?? {}
  const [tenant] = await deps.db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, tenantSlug))
  const ofIssuer = tenant === undefined ? [] : await trustsOf(deps, tenant.id, iss)
  const asked = ofIssuer.filter((it) => named === null || it.name === named)
  if (asked.length === 0)
    throw refusal(`the organization has no ${named === null ? '' : 'such '}trust for its issuer "${iss.slice(0, 200)}"`)
  let worst = 'its claims do not fit'
  for (const trust of asked) {
    const verdict = await verifyFor(deps, trust, token)
    if ('claims' in verdict) return { trust, claims: verdict.claims }
    if (!verdict.isPrivate) worst = verdict.reasons[0] ?? worst
  }
  throw refusal(worst)
}

/** Stores the access that a token is exchanged for, as its hash, and notes it in the trail. */
async function issue(deps: TrustDeps, { trust, claims }: Taken): Promise<ExchangedToken> {
  const token = makeKey('trust')
  const { hash = '' } = readKey(token) ?? {}
  const now = deps.clock.now()
  const { tenantId } = trust
  const expiresAt = isoOf(now + trust.lifetimeSeconds * 1000)
  const until = isoOf(((claims.exp ?? 0) + 60) * 1000)
  const jti = trust.singleUse ? (claims.jti ?? null) : null
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`trust:${trust.id}`)
    const at = isoOf(now)
    const used = { lastUsedAt: at }
    const [still] = await tx
      .update(trusts)
      .set(used)
      .where(inTenant(trusts, tenantId, eq(trusts.id, trust.id)))
      .returning({ id: trusts.id })
    if (still === undefined) throw refusal('its trust was removed')
    const [before] =
      jti === null
        ? []
        : await tx
            .select({ id: trustTokens.id })
            .from(trustTokens)
            .where(inTenant(trustTokens, tenantId, eq(trustTokens.trustId, trust.id), eq(trustTokens.jti, jti)))
    if (before !== undefined) throw refusal('it was exchanged before, and its trust takes each token once only')
    await tx.insert(trustTokens).values({
      id: newId(),
      tenantId,
      trustId: trust.id,
      tokenHash: hash,
      jti,
      createdAt: at,
      expiresAt,
      keptUntil: jti !== null && until > expiresAt ? until : expiresAt,
    })
    await recordAudit(tx, {
      tenantId,
      actor: { kind: 'api-key', keyId: trust.id, tenantId, scopes: trust.scopes },
      action: 'trust.token-issued',
      targetId: trust.id,
      detail: { name: trust.name, subject: String(claims.sub).slice(0, 500), expires_at: expiresAt },
      at,
    })
  })
  return {
    access_token: token,
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: trust.lifetimeSeconds,
    scope: trust.scopes.join(' '),
    trust: trust.name,
  }
}

/**
 * Exchanges a token of an issuer for access to one organization: that whose trust takes it, and no other.
 * @throws SvcError `trust-refused`, `issuer-unavailable`, `auth-rate-limited`
 */
export async function exchangeToken(
  deps: TrustDeps,
  given: {
    readonly tenantSlug: string
    readonly token: string
    readonly trust: string | null
    readonly address: string | null
  },
): Promise<ExchangedToken> {
  try {
    return await issue(deps, await take(deps, given.tenantSlug, given.token, given.trust))
  } catch (error) {
    await spendAddress(deps.db, given.address, deps.clock.now())
    throw error
  }
}

async function trial(deps: TrustDeps, trust: TrustRow, token: string): Promise<readonly string[]> {
  try {
    const verdict = await verifyFor(deps, trust, token)
    return 'reasons' in verdict ? verdict.reasons : []
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const { failure } = deps.issuers.of(trust)
    return [`the keys of its issuer cannot be read${failure === null ? '' : `: ${failure}`}`]
  }
}

/** What each trust of the organization says of a token; nothing is issued. */
export async function tryToken(deps: TrustDeps, grant: Grant, token: string): Promise<TrustTrial> {
  const fault = formFault(token)
  const claims = unprovenClaims(token)
  const rows = await deps.db.read
    .select()
    .from(trusts)
    .where(inTenant(trusts, tenantOf(grant).id))
    .orderBy(asc(trusts.createdAt), asc(trusts.id))
  const results = []
  for (const trust of rows) {
    const foreign =
      trust.issuer === claims?.iss
        ? []
        : [`it is of the issuer "${(claims?.iss ?? '').slice(0, 200)}", not "${trust.issuer}"`]
    const early = fault === null ? foreign : [fault]
    const reasons = early.length > 0 ? early : await trial(deps, trust, token)
    results.push({ id: trust.id, name: trust.name, accepted: reasons.length === 0, reasons: [...reasons] })
  }
  return { issuer: claims?.iss ?? null, subject: claims?.sub ?? null, trusts: results }
}
