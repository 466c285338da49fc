import type { Transaction } from '../../db/database.ts'
import { type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { Deps } from '../kit/door.ts'

/** Who changes something, and with what. */
export interface Audited {
  readonly deps: Deps
  readonly grant: Grant
}

/** Adds what was done to a guide to the audit trail. */
export const audit = (
  { deps, grant }: Audited,
  tx: Transaction,
  action: AuditAction,
  targetId: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(tx, {
    tenantId: tenantOf(grant).id,
    actor: grant.principal,
    action,
    targetId,
    detail,
    at: deps.clock.iso(),
  })

/** Guides, defaults and assignments of one tenant change one after the other, so that none names a guide that is gone. */
export const lockGuides = (tx: Transaction, tenantId: string): Promise<void> => tx.lock(`style-guides ${tenantId}`)
