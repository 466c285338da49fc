import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { auditEvents } from '../../db/tables.gen.ts'
import type { Principal } from './principal.ts'

/** What the audit trail speaks of. */
export type AuditAction =
  | 'service.claimed'
  | 'user.created'
  | 'user.signed-in'
  | 'user.password-changed'
  | 'user.password-reset'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.tokens-revoked'
  | 'user.device-approved'
  | 'user.device-denied'
  | 'user.identity-linked'
  | 'tenant.created'
  | 'tenant.renamed'
  | 'tenant.deleted'
  | 'tenant.ownership-transferred'
  | 'member.activated'
  | 'member.role-changed'
  | 'member.suspended'
  | 'member.reinstated'
  | 'member.removed'
  | 'member.left'
  | 'invitation.created'
  | 'invitation.withdrawn'
  | 'invitation.accepted'
  | 'api-key.created'
  | 'api-key.updated'
  | 'api-key.enabled'
  | 'api-key.disabled'
  | 'api-key.rotated'
  | 'api-key.deleted'
  | 'agent-key.created'
  | 'agent-key.revoked'
  | 'mcp-key.created'
  | 'mcp-key.deleted'
  | 'mcp-key.capabilities-set'
  | 'mcp-capabilities.set'
  | 'style-guide.created'
  | 'style-guide.updated'
  | 'style-guide.deleted'
  | 'style-guide.rule-set'
  | 'style-guide.custom-rules-set'
  | 'style-guide.policy-set'
  | 'style-guide.made-default'
  | 'style-guide.assigned'
  | 'style-guide.unassigned'
  | 'style-guide.pack-created'
  | 'version.imported'
  | 'version.created'
  | 'version.updated'
  | 'version.document-replaced'
  | 'version.published'
  | 'version.published-by-force'
  | 'consumer.retired'
  | 'change-report.edited'
  | 'change-report.regenerated'
  | 'compatibility.evidence-recorded'

/** One thing that happened. `detail` is read by administrators: it never holds a secret. */
export interface AuditEntry {
  readonly tenantId: string | null
  /** Null: the service itself. */
  readonly actor: Principal | null
  readonly action: AuditAction
  readonly targetId?: string | null
  readonly detail?: Readonly<Record<string, unknown>>
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Adds to the audit trail, in the transaction of the change itself: neither is there without the other. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { actor } = entry
  await tx.insert(auditEvents).values({
    id: newId(),
    tenantId: entry.tenantId,
    actorKind: actor?.kind ?? 'system',
    actorId: actor === null ? null : actor.kind === 'user' ? actor.userId : actor.keyId,
    action: entry.action,
    targetId: entry.targetId ?? null,
    detail: entry.detail ?? {},
    createdAt: new Date(entry.now).toISOString(),
  })
}
