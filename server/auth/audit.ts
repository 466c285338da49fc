import { eq, isNull, type SQL } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { auditEvents } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { AuditMeans } from '../../src/api/audit-means.ts'
import { type AuditRow, chained, type ChainHead } from '../../src/gateway-policy/audit.ts'
import type { Principal } from './principal.ts'

type AuditEventRow = typeof auditEvents.$inferSelect

/** One thing that happened in an organization or the service. `detail` is read by administrators: it never holds a secret. */
export interface AuditEntry {
  readonly tenantId: string | null
  /** Null: the service itself. */
  readonly actor: Principal | null
  readonly action: AuditAction
  readonly targetId?: string | null
  readonly detail?: Readonly<Record<string, unknown>>
  /** When it happened, as tables keep instants. */
  readonly at: string
}

/** One thing that happened to the policy of an environment: it continues the chain of that environment. */
export interface ChainedAuditEntry {
  readonly tenantId: string
  /** As `actorOf` writes it; "system": the service itself. */
  readonly actor: string
  readonly action: string
  readonly target?: string | null
  readonly before?: unknown
  readonly after?: unknown
  readonly reason?: string | null
  readonly policyVersion: number
  readonly at: string
  /** The environment, and the head of its chain, which the transaction holds. */
  readonly chain: ChainHead & { readonly environmentId: string }
}

const meansOf = (actor: Principal | null): AuditMeans | null => {
  if (actor === null) return null
  if (actor.kind !== 'user') return 'key'
  return { session: 'web' as const, jwt: 'token' as const, local: 'local' as const }[actor.via]
}

const rowOf = (entry: AuditEntry): AuditEventRow => {
  const { actor } = entry
  return {
    id: newId(),
    tenantId: entry.tenantId,
    actorKind: actor?.kind ?? 'system',
    actorId: actor === null ? null : actor.kind === 'user' ? actor.userId : actor.keyId,
    means: meansOf(actor),
    action: entry.action,
    targetId: entry.targetId ?? null,
    detail: entry.detail ?? {},
    createdAt: entry.at,
    environmentId: null,
    seq: null,
    prevHash: null,
    hash: null,
  }
}

function chainedRowOf(entry: ChainedAuditEntry) {
  const {
    chain,
    tenantId,
    action,
    target = null,
    before = null,
    after = null,
    reason = null,
    policyVersion,
    at,
  } = entry
  const [kind = '', ...id] = entry.actor.split(':')
  const row = {
    id: newId(),
    tenantId,
    actorKind: kind as AuditEventRow['actorKind'],
    actorId: id.length === 0 ? null : id.join(':'),
    means: null,
    action,
    targetId: target,
    detail: { before, after, reason, policyVersion },
    createdAt: at,
    environmentId: chain.environmentId,
    seq: chain.count + 1,
    prevHash: chain.hash,
    hash: '',
  }
  return { ...row, hash: chained(chainRowOf(row), chain.hash).hash }
}

/** A stored row of a chain as its digest and its readers see it. */
export const chainRowOf = (row: AuditEventRow): AuditRow => {
  const { before, after, reason, policyVersion } = row.detail as unknown as AuditRow
  return {
    environmentId: row.environmentId ?? '',
    seq: row.seq ?? 0,
    id: row.id,
    at: row.createdAt,
    actor: row.actorId === null ? row.actorKind : `${row.actorKind}:${row.actorId}`,
    action: row.action,
    target: row.targetId,
    before,
    after,
    reason,
    policyVersion,
    prevHash: row.prevHash ?? '',
    hash: row.hash ?? '',
  }
}

/** Adds to the audit trail, in the transaction of the change itself: neither is there without the other. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void>
/**
 * Continues the chain of an environment.
 * @returns the new head of the chain, which the caller keeps with the environment
 */
export async function recordAudit(tx: Transaction, entry: ChainedAuditEntry): Promise<ChainHead>
export async function recordAudit(tx: Transaction, entry: AuditEntry | ChainedAuditEntry): Promise<ChainHead | void> {
  if (!('chain' in entry)) {
    await tx.insert(auditEvents).values(rowOf(entry))
    return undefined
  }
  const row = chainedRowOf(entry)
  await tx.insert(auditEvents).values(row)
  return { count: row.seq, hash: row.hash }
}

/**
 * What readers of one trail ask for, newest first.
 * @param environmentId null: the trail of the organization
 */
export const trailOf = (tenantId: string, environmentId: string | null, ...conditions: (SQL | undefined)[]) =>
  environmentId === null
    ? {
        where: inTenant(auditEvents, tenantId, isNull(auditEvents.environmentId), ...conditions),
        order: [auditEvents.createdAt, auditEvents.id],
        added: auditEvents.createdAt,
      }
    : {
        where: inTenant(auditEvents, tenantId, eq(auditEvents.environmentId, environmentId), ...conditions),
        order: [auditEvents.seq],
        added: auditEvents.createdAt,
      }
