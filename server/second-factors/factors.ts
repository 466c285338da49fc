/** The second factors of a person: what they have, adding and removing. */
import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { memberships, passkeys } from '../../db/tables.gen.ts'
import type { AddedFactor, AuthenticatorSecret, FactorMethod, SecondFactors } from '../../src/api/second-factors.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, hasSecondFactor, personOf, recordAudit, requiringTenants, type Source } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { sendNotifications } from '../notifications/door.ts'
import { confirmPassword, userNamed, userOf, type UserRow } from '../users/door.ts'
import { countAttempt, forgiveAttempts } from './attempts.ts'
import { addWaitingApp, type AppDeps, confirmWaitingApp, findApp, removeApps } from './authenticator-app.ts'
import { listPasskeys, passkeyRecord } from './passkeys.ts'
import { countCodes, dropCodes, replaceCodes } from './recovery-codes.ts'
import { dropTickets } from './tickets.ts'
import { otpauthUri } from './totp.ts'

/** Held while the factors of a person change or one of them is used. */
export const lockFactors = (tx: Transaction, userId: string): Promise<void> => tx.lock(`second-factors:${userId}`)

/** The second factors of the person who asks. */
export async function showFactors({ db }: AppDeps, grant: Grant): Promise<SecondFactors> {
  const userId = personOf(grant)
  const user = await userOf(db.read, userId)
  const app = await findApp(db.read, userId)
  const codes = await countCodes(db.read, userId)
  return {
    has_password: user.passwordHash !== null,
    enabled: await hasSecondFactor(db.read, userId),
    authenticator_app: app === null ? null : { added_at: app.createdAt, last_used_at: app.lastUsedAt },
    passkeys: (await listPasskeys(db.read, userId)).map(passkeyRecord),
    recovery_codes: { left: codes.left, created_at: codes.createdAt },
  }
}

/**
 * The person who asks, once they showed their password: an open browser that a stranger finds must not give them the account.
 * @throws SvcError `password-missing`, `credentials-invalid`, `auth-rate-limited`
 */
export async function personWithPassword(
  deps: AppDeps,
  grant: Grant,
  password: string,
  source: Source,
): Promise<UserRow> {
  const user = await userOf(deps.db.read, personOf(grant))
  if (user.passwordHash === null) throw new SvcError('password-missing')
  await confirmPassword(deps, user, password, source)
  return user
}

/**
 * Begins to add an authenticator app.
 * @param issuer the name of the service in the app
 * @throws SvcError `password-missing`, `credentials-invalid`, `auth-rate-limited`, `secret-key-missing`, `secret-key-unusable`
 */
export async function beginApp(
  deps: AppDeps,
  grant: Grant,
  given: { readonly password: string; readonly source: Source; readonly issuer: string },
): Promise<AuthenticatorSecret> {
  const { id, email } = await personWithPassword(deps, grant, given.password, given.source)
  const secret = await deps.db.inTransaction(async (tx) => {
    await lockFactors(tx, id)
    return addWaitingApp(deps, tx, id)
  })
  return { secret, uri: otpauthUri(secret, given.issuer, email) }
}

/** Writes down that a person has a factor more; the first one comes with recovery codes. The person is locked. */
export async function noteAdded(
  deps: AppDeps,
  tx: Transaction,
  grant: Grant,
  detail: { readonly method: FactorMethod; readonly name?: string },
): Promise<AddedFactor> {
  const userId = personOf(grant)
  const at = deps.clock.iso()
  const action = 'user.second-factor-added'
  await recordAudit(tx, { tenantId: null, actor: grant.principal, action, targetId: userId, detail, at })
  const { createdAt } = await countCodes(tx, userId)
  return { recovery_codes: createdAt === null ? await replaceCodes(tx, userId, deps.clock.now()) : null }
}

/**
 * Puts the app that waits into use with its first code, in place of the one before.
 * @throws SvcError `second-factor-not-found`, `second-factor-wrong`, `auth-rate-limited`
 */
export async function confirmApp(deps: AppDeps, grant: Grant, code: string, source: Source): Promise<AddedFactor> {
  const userId = personOf(grant)
  // Nobody gets more than they have by a code of an app that waits, and a stranger's guesses at sign-ins must not keep the person from it.
  const forgive = await countAttempt(deps, userId, source, 'by-network')
  return deps.db.inTransaction(async (tx) => {
    await lockFactors(tx, userId)
    const outcome = await confirmWaitingApp(deps, tx, userId, code)
    if (outcome === 'missing')
      throw new SvcError('second-factor-not-found', { factor: 'authenticator app that waits for its first code' })
    if (outcome === 'wrong')
      throw new SvcError('second-factor-wrong', { reason: 'the app shows another code, or its clock is not right' })
    await forgive(tx)
    return noteAdded(deps, tx, grant, { method: 'totp' })
  })
}

/**
 * After the last factor nothing is left of it: no recovery code, no sign-in that waits for it.
 * @throws SvcError `second-factor-enforced` where an organization of the person requires one
 */
async function afterRemoval(tx: Transaction, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return
  const requiring = await requiringTenants(tx, userId)
  if (requiring.length > 0) throw new SvcError('second-factor-enforced', { tenants: requiring.map((it) => it.name) })
  await dropCodes(tx, userId)
  await dropTickets(tx, userId)
}

/**
 * Removes a factor of the person who asks, once they showed their password.
 * @param remove removes it; false where there is no such one
 * @throws SvcError `password-missing`, `credentials-invalid`, `auth-rate-limited`, `second-factor-not-found`, `second-factor-enforced`
 */
export async function removeFactor(
  deps: AppDeps,
  grant: Grant,
  given: {
    readonly password: string
    readonly source: Source
    readonly factor: string
    readonly method: FactorMethod
  },
  remove: (tx: Transaction, userId: string) => Promise<boolean>,
): Promise<void> {
  const { id } = await personWithPassword(deps, grant, given.password, given.source)
  await deps.db.inTransaction(async (tx) => {
    await lockFactors(tx, id)
    if (!(await remove(tx, id))) throw new SvcError('second-factor-not-found', { factor: given.factor })
    await afterRemoval(tx, id)
    await recordAudit(tx, {
      tenantId: null,
      actor: grant.principal,
      action: 'user.second-factor-removed',
      targetId: id,
      detail: { method: given.method },
      at: deps.clock.iso(),
    })
  })
}

/**
 * New recovery codes for the person who asks; the earlier ones end.
 * @throws SvcError `password-missing`, `credentials-invalid`, `auth-rate-limited`, `second-factor-not-found`
 */
export async function renewCodes(deps: AppDeps, grant: Grant, password: string, source: Source): Promise<string[]> {
  const { id } = await personWithPassword(deps, grant, password, source)
  return deps.db.inTransaction(async (tx) => {
    await lockFactors(tx, id)
    if (!(await hasSecondFactor(tx, id))) throw new SvcError('second-factor-not-found', { factor: 'second factor' })
    const action = 'user.recovery-codes-created'
    const at = deps.clock.iso()
    await recordAudit(tx, { tenantId: null, actor: grant.principal, action, targetId: id, at })
    return replaceCodes(tx, id, deps.clock.now())
  })
}

/** Removes every second factor of a person, recovery codes included. @returns whether there was one */
export async function dropFactors(deps: AppDeps, tx: Transaction, userId: string): Promise<boolean> {
  await lockFactors(tx, userId)
  const had = await hasSecondFactor(tx, userId)
  await removeApps(deps, tx, userId)
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
  await dropCodes(tx, userId)
  await dropTickets(tx, userId)
  await forgiveAttempts(tx, userId)
  return had
}

/** Tells a person in the inbox of each organization that someone removed their second factors: whoever asked may not have been they. */
async function tellOfReset({ clock, publicUrl }: ResetDeps, tx: Transaction, userId: string): Promise<void> {
  const title =
    'The operator removed your second factors: your password alone signs in. If you did not ask, change it now'
  const payload = { title, url: `${publicUrl()}/app/account`, event: 'user.second-factor-reset' }
  const about = { actor: null, projectId: null, versionId: null }
  const places = await tx
    .select({ tenantId: memberships.tenantId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
  for (const { tenantId } of places)
    await sendNotifications(tx, { id: newId(), tenantId, createdAt: clock.iso() }, about, [
      { type: 'account', people: [userId], payload },
    ])
}

/** What a reset by the operator uses. */
type ResetDeps = AppDeps & Pick<Deps, 'publicUrl'>

/**
 * Removes the second factors of an account from the shell of the machine that has the data, for people who lost theirs.
 * @throws SvcError `user-not-found`, `user-ambiguous`, `second-factor-not-found`
 */
export async function resetFactors(deps: ResetDeps, named: string): Promise<UserRow> {
  const user = await userNamed(deps, named)
  await deps.db.inTransaction(async (tx) => {
    if (!(await dropFactors(deps, tx, user.id)))
      throw new SvcError('second-factor-not-found', { factor: 'second factor' })
    const action = 'user.second-factor-reset'
    await recordAudit(tx, { tenantId: null, actor: null, action, targetId: user.id, at: deps.clock.iso() })
    await tellOfReset(deps, tx, user.id)
  })
  return user
}
