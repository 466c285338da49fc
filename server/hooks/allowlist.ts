import ipaddr from 'ipaddr.js'
import { and, asc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { hookEntries, hookPolicies, providerRanges, repositories } from '../../db/tables.gen.ts'
import { gitProviders } from '../../src/api/linked-accounts.ts'
import { decideSource, type SourceVerdict } from '../../src/hooks/verify.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { isInside, parseAddress, parseNetworks } from '../egress/door.ts'
import { clouds, refreshIntervalSeconds } from './ranges.ts'
import type { HookRow } from './row.ts'

/**
 * A network in one form; a bare address is a network of one.
 * @throws SvcError `cidr-invalid`, `cidr-host-bits`
 */
export function readCidr(text: string): string {
  const [base = '', prefix, ...rest] = text.trim().split('/')
  const address = parseAddress(base)
  const widest = address?.kind() === 'ipv4' ? 32 : 128
  const given = /^\d{1,3}$/.test(prefix ?? '') ? Number(prefix) : Number.NaN
  const bits = prefix === undefined ? widest : given
  if (address === null || rest.length > 0 || !(bits <= widest))
    throw new SvcError('cidr-invalid', { cidr: text.slice(0, 50) })
  const whole = `${address.toString()}/${bits}`
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(whole).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(whole).toString()
  if (network !== address.toString())
    throw new SvcError('cidr-host-bits', { cidr: text.slice(0, 50), network: `${network}/${bits}` })
  return `${network}/${bits}`
}

/** The address of a sender: of the peer, or what the proxies that are trusted wrote, counted from the right. */
export function senderOf(peer: string | null, forwardedFor: string | null, hops: number): string | null {
  if (hops === 0) return peer
  const path = (forwardedFor ?? '').split(',').map((one) => one.trim())
  return path.at(-hops) ?? null
}

async function rangesOf(deps: Deps, host: string): Promise<readonly string[] | null> {
  const cloud = clouds[host]
  if (cloud === undefined) return null
  const [known] = await deps.db.read.select().from(providerRanges).where(eq(providerRanges.provider, cloud))
  return known?.ranges ?? null
}

/** Whether a sender is outside of the networks of a provider, whatever organizations allow; those that are not known block nothing. */
export async function providerVerdict(
  deps: Deps,
  host: string,
  peer: string | null,
  forwardedFor: string | null,
): Promise<'allowed' | 'blocked'> {
  const { isEnforced, proxyHops } = deps.hosting.hooks
  const ranges = isEnforced ? await rangesOf(deps, host) : null
  if (ranges === null || ranges.length === 0) return 'allowed'
  const sender = senderOf(peer, forwardedFor, proxyHops)
  return sender !== null && isInside(sender, parseNetworks(ranges.join(','))) ? 'allowed' : 'blocked'
}

/** What the address of a delivery means for a hook. */
export async function sourceVerdict(
  deps: Deps,
  row: Pick<HookRow, 'tenantId' | 'repositoryId'>,
  peer: string | null,
  forwardedFor: string | null,
): Promise<SourceVerdict> {
  const { read } = deps.db
  const { isEnforced, isStrict, proxyHops } = deps.hosting.hooks
  if (!isEnforced) return 'allowed'
  const [policy] = await read.select().from(hookPolicies).where(inTenant(hookPolicies, row.tenantId))
  if (policy?.isEnforced === false) return 'allowed'
  const enabled = inTenant(hookEntries, row.tenantId, eq(hookEntries.isEnabled, true))
  const entries = await read.select({ cidr: hookEntries.cidr }).from(hookEntries).where(enabled)
  const own = inTenant(repositories, row.tenantId, eq(repositories.id, row.repositoryId))
  const [repository] = await read.select({ host: repositories.host }).from(repositories).where(own)
  const sender = senderOf(peer, forwardedFor, proxyHops)
  return decideSource({
    isEnforced: true,
    isStrict,
    entries: entries.map(({ cidr }) => cidr),
    ranges: await rangesOf(deps, repository?.host ?? ''),
    isInside: (networks) => sender !== null && isInside(sender, parseNetworks(networks.join(','))),
  })
}

async function show(deps: Deps, reader: Reader, tenantId: string) {
  const { isEnforced, isStrict, proxyHops } = deps.hosting.hooks
  const [policy] = await reader.select().from(hookPolicies).where(inTenant(hookPolicies, tenantId))
  const ranges = await reader.select().from(providerRanges)
  const entries = await reader
    .select()
    .from(hookEntries)
    .where(inTenant(hookEntries, tenantId))
    .orderBy(asc(hookEntries.createdAt), asc(hookEntries.id))
  return {
    success: true,
    enforcementEnabled: isEnforced,
    strict: isStrict,
    refreshIntervalSeconds,
    trustedProxyHops: proxyHops,
    tenantEnforcementEnabled: policy?.isEnforced ?? true,
    bypassReason: policy?.bypassReason ?? null,
    policyUpdatedAt: policy?.updatedAt ?? null,
    providers: gitProviders.map((provider) => {
      const known = ranges.find((one) => one.provider === provider)
      return {
        provider,
        ranges: known?.ranges ?? [],
        fetchedAt: known?.fetchedAt ?? null,
        lastError: known?.lastError ?? null,
      }
    }),
    entries: entries.map((entry) => ({
      id: entry.id,
      cidr: entry.cidr,
      description: entry.description,
      enabled: entry.isEnabled,
      created_by: entry.createdBy,
      created_at: entry.createdAt,
    })),
  }
}

export const getAllowlist = (deps: Deps, grant: Grant) => show(deps, deps.db.read, tenantOf(grant).id)

/** @throws SvcError `bypass-reason-required` */
export async function setPolicy(
  deps: Deps,
  grant: Grant,
  input: { readonly enforcementEnabled: boolean; readonly bypassReason?: string | null },
) {
  const { id: tenantId } = tenantOf(grant)
  const reason = input.bypassReason?.trim() ?? ''
  if (!input.enforcementEnabled && reason === '') throw new SvcError('bypass-reason-required')
  const at = deps.clock.iso()
  const set = {
    isEnforced: input.enforcementEnabled,
    bypassReason: input.enforcementEnabled ? null : reason,
    updatedAt: at,
  }
  return deps.db.inTransaction(async (tx) => {
    await tx
      .insert(hookPolicies)
      .values({ tenantId, ...set })
      .onConflictDoUpdate({ target: hookPolicies.tenantId, set })
    const { principal: actor } = grant
    const detail = { enforced: set.isEnforced, reason: set.bypassReason }
    await recordAudit(tx, { tenantId, actor, action: 'repository-hook.ip-policy-set', detail, at })
    return show(deps, tx, tenantId)
  })
}

/** @throws SvcError `cidr-invalid`, `cidr-host-bits`, `allowlist-entry-exists` */
export async function addEntry(
  deps: Deps,
  grant: Grant,
  input: { readonly cidr: string; readonly description?: string | null },
) {
  const { id: tenantId } = tenantOf(grant)
  const cidr = readCidr(input.cidr)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const row = {
      id: newId(),
      tenantId,
      cidr,
      description: input.description ?? null,
      isEnabled: true,
      createdBy: actorOf(grant),
      createdAt: at,
      updatedAt: at,
    }
    try {
      await tx.savepoint((inner) => inner.insert(hookEntries).values(row))
    } catch (error) {
      if (isUniqueViolation(error)) throw new SvcError('allowlist-entry-exists', { cidr })
      throw error
    }
    const { principal: actor } = grant
    const detail = { cidr, added: true }
    await recordAudit(tx, { tenantId, actor, action: 'repository-hook.ip-entry-set', targetId: row.id, detail, at })
    return show(deps, tx, tenantId)
  })
}

/** Switches an entry, or removes it with null. @throws SvcError `allowlist-entry-not-found` */
export async function changeEntry(deps: Deps, grant: Grant, id: string, enabled: boolean | null) {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const own = inTenant(hookEntries, tenantId, and(eq(hookEntries.id, id)))
    const [row] =
      enabled === null
        ? await tx.delete(hookEntries).where(own).returning()
        : await tx.update(hookEntries).set({ isEnabled: enabled, updatedAt: at }).where(own).returning()
    if (!row) throw new SvcError('allowlist-entry-not-found', { entry: id })
    const { principal: actor } = grant
    const detail = { cidr: row.cidr, enabled }
    await recordAudit(tx, { tenantId, actor, action: 'repository-hook.ip-entry-set', targetId: id, detail, at })
    return show(deps, tx, tenantId)
  })
}
