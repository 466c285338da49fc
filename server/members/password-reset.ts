import { isoOf } from '../../db/clock.ts'
import type { PasswordResetRecord } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { belongsTo, issueReset, resetHours, resetLink, userOf } from '../users/door.ts'
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
    const link = resetLink(deps.publicUrl(), token)
    return { user_id: userId, email: user.email, token, link, expires_at: expiresAt }
  })
}
