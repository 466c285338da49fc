import { isoOf } from '../../db/clock.ts'
import type { PasswordResetRecord } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/audit.ts'
import { personOf, tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { userOf } from '../users/find.ts'
import { belongsTo, issueReset, resetHours } from '../users/password-reset.ts'
import { findMember } from './find.ts'

/**
 * Creates a link with which a member sets a new password: the answer has its token, this once.
 * @throws SvcError `member-not-found`, `owner-required`, `password-reset-self`, `password-reset-elsewhere`
 */
export async function resetMember(deps: Deps, grant: Grant, userId: string): Promise<PasswordResetRecord> {
  const { id: tenantId } = tenantOf(grant)
  const createdBy = personOf(grant)
  const now = deps.clock.now()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const member = await findMember(tx, tenantId, userId)
    if (member.role === 'owner' && grant.role !== 'owner') throw new SvcError('owner-required')
    // An open browser that a stranger finds must not give them the account for good.
    if (createdBy === userId) throw new SvcError('password-reset-self')
    const user = await userOf(tx, userId)
    if (!(await belongsTo(tx, user, tenantId))) throw new SvcError('password-reset-elsewhere', { email: user.email })
    const { token, expiresAt } = await issueReset(tx, user, { madeIn: tenantId, createdBy, hours: resetHours, now })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'member.password-reset-created',
      targetId: userId,
      detail: { email: user.email },
      at: isoOf(now),
    })
    return { user_id: userId, email: user.email, token, expires_at: expiresAt }
  })
}
