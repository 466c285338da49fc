import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { auditEvents } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { AuditMeans } from '../../src/api/audit-means.ts'
import type { Principal } from './principal.ts'

/** One thing that happened. `detail` is read by administrators: it never holds a secret. */
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

const meansOf = (actor: Principal | null): AuditMeans | null => {
  if (actor === null) return null
  if (actor.kind !== 'user') return 'key'
  return { session: 'web' as const, jwt: 'token' as const, local: 'local' as const }[actor.via]
}

/** Adds to the audit trail, in the transaction of the change itself: neither is there without the other. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { actor } = entry
  await tx.insert(auditEvents).values({
    id: newId(),
    tenantId: entry.tenantId,
    actorKind: actor?.kind ?? 'system',
    actorId: actor === null ? null : actor.kind === 'user' ? actor.userId : actor.keyId,
    means: meansOf(actor),
    action: entry.action,
    targetId: entry.targetId ?? null,
    detail: entry.detail ?? {},
    createdAt: entry.at,
  })
}
