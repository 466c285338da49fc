import { isoOf } from '../../db/clock.ts'
import { asc, eq, ne } from 'drizzle-orm'
import { users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/audit.ts'
import { forgiveAccount } from '../auth/budget.ts'
import type { Store } from '../deps.ts'
import { endSignInsOf } from '../auth/refresh.ts'
import { endSessionsOf } from '../auth/session.ts'
import { setPassword } from '../auth/sign-in.ts'
import { unclaimedEmail } from '../tenants/local.ts'
import { findUserByEmail, type UserRow } from './find.ts'

/** Everybody who has an account, by address. The placeholder of an unclaimed workspace is nobody. */
export const listUsers = (deps: Store): Promise<UserRow[]> =>
  deps.db.read.select().from(users).where(ne(users.email, unclaimedEmail)).orderBy(asc(users.email))

async function userNamed(deps: Store, email: string): Promise<UserRow> {
  const user = await findUserByEmail(deps.db.read, email)
  if (user === null || user.email === unclaimedEmail) throw new SvcError('user-not-found', { user: email })
  return user
}

/**
 * Lets a person in or keeps them out. Kept out, every session and all tokens end at once; keys of their tenants go on.
 * @throws SvcError `user-not-found`
 */
export async function setUserStatus(deps: Store, email: string, status: UserRow['status']): Promise<UserRow> {
  const user = await userNamed(deps, email)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await tx
      .update(users)
      .set({ status, updatedAt: isoOf(now) })
      .where(eq(users.id, user.id))
    if (status === 'disabled') {
      await endSessionsOf(tx, user.id, null)
      await endSignInsOf(tx, user.id, now)
    }
    const action = status === 'disabled' ? 'user.disabled' : 'user.enabled'
    await recordAudit(tx, { tenantId: null, actor: null, action, targetId: user.id, at: isoOf(now) })
  })
  return { ...user, status }
}

/**
 * Gives a person a new password, for those who lost theirs or never had one; ends every session and all tokens.
 * @throws SvcError `user-not-found`, `password-weak`
 */
export async function resetPassword(deps: Store, email: string, password: string): Promise<UserRow> {
  const user = await userNamed(deps, email)
  await setPassword(deps, { userId: user.id, email: user.email, password, keepSession: null, byOperator: true })
  await forgiveAccount(deps.db, user.email)
  return user
}
