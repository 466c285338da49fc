import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { auditEvents } from '../../db/tables.gen.ts'

type ActorKind = (typeof auditEvents.$inferInsert)['actorKind']

/** One entry of the audit trail; `detail` must hold no secret. */
export interface AuditEntry {
  readonly tenantId: string | null
  /** "user:<id>", "api-key:<id>" …; null for the service itself. */
  readonly actor: string | null
  readonly action: string
  readonly targetId: string | null
  readonly detail: Readonly<Record<string, unknown>>
  readonly at: string
}

/** Adds to the audit trail in the transaction of what it speaks of, so that neither is there without the other. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const [kind, actorId] = entry.actor?.split(/:(.*)/s) ?? ['system', null]
  await tx.insert(auditEvents).values({
    id: newId(),
    tenantId: entry.tenantId,
    actorKind: kind as ActorKind,
    actorId: actorId ?? null,
    action: entry.action,
    targetId: entry.targetId,
    detail: entry.detail,
    createdAt: entry.at,
  })
}
