import { isoOf } from '../../db/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { hashPassword, recordAudit, replacePassword } from '../auth/door.ts'
import type { Store } from '../kit/door.ts'
import { passwordBeside } from './find.ts'

/**
 * Sets a password and ends every session and all tokens; `byOperator` where it is not the person who does it. What `guard` throws
 * undoes everything.
 * @throws SvcError `password-weak`, and what `guard` throws
 */
export async function setPassword(
  deps: Store,
  given: {
    readonly userId: string
    readonly email: string
    readonly password: string
    readonly keepSession: string | null
    readonly byOperator?: boolean
    readonly guard?: (tx: Transaction, now: number) => Promise<void>
  },
): Promise<void> {
  const { userId } = given
  const like = await passwordBeside(deps.db.read, given.email, userId)
  const passwordHash = await hashPassword(given.password, given.email, like)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await given.guard?.(tx, now)
    await replacePassword(tx, { userId, passwordHash, keepSession: given.keepSession, now })
    const actor = given.byOperator === true ? null : ({ kind: 'user', userId, via: 'session' } as const)
    const action = given.byOperator === true ? 'user.password-reset' : 'user.password-changed'
    await recordAudit(tx, { tenantId: null, actor, action, targetId: userId, at: isoOf(now) })
  })
}
