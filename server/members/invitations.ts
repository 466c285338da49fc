import { isoOf } from '../../db/clock.ts'
import { and, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { invitations, memberships, tenants, users } from '../../db/tables.gen.ts'
import type { InvitationRecord } from '../../src/api/members.ts'
import type { Role } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import {
  type Grant,
  hashPassword,
  hashSecret,
  personOf,
  randomBase62,
  recordAudit,
  type Source,
  spendAddress,
  tenantOf,
} from '../auth/door.ts'
import { type Deps, type Page, readPage } from '../kit/door.ts'
import {
  checkPassword,
  dropPending,
  findVerifiedUser,
  insertUser,
  lockAddress,
  normalizeEmail,
  normalizeName,
  ofAddress,
  passwordBeside,
  type UserRow,
} from '../users/door.ts'
import { assertRoom, countSeats, limitsOf, openInvitation } from '../license/door.ts'
import { isMember } from './find.ts'

type InvitationRow = typeof invitations.$inferSelect

/** How long an invitation can be accepted. */
const defaultRole: Role = 'editor'
const lifeMs = 7 * 24 * 3_600_000

const recordOf = (row: InvitationRow): InvitationRecord => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.invitedBy,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
})

/** The link of an invitation. The token is in the fragment, which browsers send to no one. */
const invitationLink = (publicUrl: string, token: string): string => `${publicUrl}/app/invitation#token=${token}`

/** The open invitations of a tenant, newest first. */
export async function listInvitations(deps: Deps, grant: Grant, page: Page) {
  const where = inTenant(invitations, tenantOf(grant).id, openInvitation(deps.clock.now()))
  const { rows, total } = await readPage(deps.db.read, invitations, {
    where,
    order: [desc(invitations.createdAt), desc(invitations.id)],
    page,
  })
  return { items: rows.map(recordOf), total, ...page }
}

/** Refuses an address that is a member's, whichever account it is, or that has an open invitation. */
async function assertNew(tx: Transaction, tenantId: string, email: string, now: number): Promise<void> {
  const [open] = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(inTenant(invitations, tenantId, eq(invitations.email, email.toLowerCase()), openInvitation(now)))
  const [member] = await tx
    .select({ status: memberships.status })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(inTenant(memberships, tenantId, isMember), ofAddress(email)))
  if (open !== undefined || member !== undefined) throw new SvcError('member-exists', { email })
}

/**
 * Invites an e-mail address. The answer has the token of the link, this once, and is the same whether or not the address
 * has an account. Anyone who has proven the address gets a pending membership too, which they can activate without the link.
 * @throws SvcError `email-invalid`, `member-exists`, `owner-required`, `quota-exceeded`
 */
export async function invite(
  deps: Deps,
  grant: Grant,
  given: { readonly email: string; readonly role?: Role },
): Promise<InvitationRecord> {
  const email = normalizeEmail(given.email)
  const { id: tenantId } = tenantOf(grant)
  const role = given.role ?? defaultRole
  if (role === 'owner' && grant.role !== 'owner') throw new SvcError('owner-required')
  const token = `svi_${randomBase62(43)}`
  const now = deps.clock.now()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    await lockAddress(tx, email)
    await assertNew(tx, tenantId, email, now)
    const { seats } = await limitsOf(tx, deps.plans, tenantId)
    const { used, pending } = await countSeats(tx, tenantId, now)
    assertRoom('seats', used + pending, seats)
    const row: InvitationRow = {
      id: newId(),
      tenantId,
      email: email.toLowerCase(),
      role,
      tokenHash: hashSecret(token),
      invitedBy: personOf(grant),
      createdAt: isoOf(now),
      expiresAt: isoOf(now + lifeMs),
      acceptedAt: null,
      withdrawnAt: null,
    }
    await tx.insert(invitations).values(row)
    const owner = await findVerifiedUser(tx, email)
    if (owner !== null) {
      // What an expired invitation left behind takes the role of this one.
      await tx
        .insert(memberships)
        .values({ tenantId, userId: owner.id, role, status: 'pending', createdAt: isoOf(now) })
        .onConflictDoUpdate({ target: [memberships.tenantId, memberships.userId], set: { role } })
    }
    const detail = { email: row.email, role: row.role }
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'invitation.created',
      targetId: row.id,
      detail,
      at: isoOf(now),
    })
    return { ...recordOf(row), token, link: invitationLink(deps.publicUrl(), token) }
  })
}

/**
 * Withdraws an open invitation.
 * @throws SvcError `invitation-not-found`
 */
export async function withdraw(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    const [row] = await tx
      .update(invitations)
      .set({ withdrawnAt: isoOf(now) })
      .where(inTenant(invitations, tenantId, eq(invitations.id, id), openInvitation(now)))
      .returning({ email: invitations.email })
    if (row === undefined) throw new SvcError('invitation-not-found', { invitation: id })
    await dropPending(tx, tenantId, row.email)
    const detail = { email: row.email }
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'invitation.withdrawn',
      targetId: id,
      detail,
      at: isoOf(now),
    })
  })
}

async function findOpen(db: Pick<Database, 'read'>, token: string, now: number): Promise<InvitationRow> {
  const [row] = await db.read
    .select()
    .from(invitations)
    .where(and(eq(invitations.tokenHash, hashSecret(token)), openInvitation(now)))
  if (row === undefined) throw new SvcError('invitation-invalid')
  return row
}

/**
 * What the page of an invitation shows.
 * @throws SvcError `invitation-invalid`, `auth-rate-limited`
 */
export async function describeInvitation(deps: Deps, token: string, address: string | null) {
  await spendAddress(deps.db, address, deps.clock.now())
  const row = await findOpen(deps.db, token, deps.clock.now())
  const [tenant] = await deps.db.read.select().from(tenants).where(eq(tenants.id, row.tenantId))
  return { email: row.email, tenant_name: tenant?.name ?? '', role: row.role }
}

interface Acceptance {
  readonly token: string
  /** The name of a new account; absent to use an account that there is. */
  readonly name?: string
  readonly password: string
  readonly source: Source
  /** Called with an account that there is and whose password was right; what it throws leaves the invitation open. */
  readonly assertSecondFactor: (user: UserRow, invitationId: string) => Promise<void>
}

/** The account that an acceptance names: nothing of it is read from the invitation but its address and its tenant. */
async function accountFor(
  deps: Deps,
  { id, email, tenantId }: InvitationRow,
  given: Acceptance,
): Promise<(tx: Transaction, now: number) => Promise<UserRow>> {
  const { name, password, source } = given
  if (name === undefined) {
    const candidates = { email, preferredTenant: tenantId, onlyPreferred: true }
    const user = await checkPassword(deps, { ...candidates, password, source })
    await given.assertSecondFactor(user, id)
    return () => Promise.resolve(user)
  }
  await spendAddress(deps.db, source.address, deps.clock.now())
  const passwordHash = await hashPassword(password, email, await passwordBeside(deps.db.read, email, null))
  return (tx, now) =>
    insertUser(tx, { email, name: normalizeName(name, email), passwordHash, boundTo: tenantId, verified: false, now })
}

/** Makes the membership that an invitation offers. @throws SvcError `member-exists`, `membership-suspended` */
async function join(tx: Transaction, { tenantId, role, email }: InvitationRow, user: UserRow, now: number) {
  await dropPending(tx, tenantId, email)
  const [before] = await tx
    .select({ status: memberships.status })
    .from(memberships)
    .where(inTenant(memberships, tenantId, eq(memberships.userId, user.id)))
  if (before !== undefined)
    throw before.status === 'suspended'
      ? new SvcError('membership-suspended')
      : new SvcError('member-exists', { email })
  await tx.insert(memberships).values({ tenantId, userId: user.id, role, status: 'active', createdAt: isoOf(now) })
}

/**
 * Accepts an invitation with its token: with a name as a new account, which is bound to the tenant until its address is
 * proven, without one as an account that there is, by its password. An account that the invitation of another tenant
 * made is not one of those: its creator perhaps does not own the address.
 * @throws SvcError `invitation-invalid`, `credentials-invalid`, `email-taken`, `password-weak`, `quota-exceeded`,
 *   `member-exists`, `membership-suspended`, `auth-rate-limited`, and what `assertSecondFactor` throws
 */
export async function acceptInvitation(deps: Deps, given: Acceptance): Promise<UserRow> {
  const found = await findOpen(deps.db, given.token, deps.clock.now())
  return settle(deps, found, await accountFor(deps, found, given))
}

/**
 * Accepts an invitation for an account that has shown its password and its second factor.
 * @throws SvcError `invitation-invalid`, `quota-exceeded`, `member-exists`, `membership-suspended`
 */
export async function joinInvitation(deps: Deps, invitationId: string, user: UserRow): Promise<void> {
  const [found] = await deps.db.read.select().from(invitations).where(eq(invitations.id, invitationId))
  if (found === undefined) throw new SvcError('invitation-invalid')
  await settle(deps, found, () => Promise.resolve(user))
}

/** Uses an invitation up and makes the membership that it offers. */
function settle(
  deps: Deps,
  found: InvitationRow,
  makeUser: (tx: Transaction, now: number) => Promise<UserRow>,
): Promise<UserRow> {
  return deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const { tenantId, role, email } = found
    await tx.lock(`members:${tenantId}`)
    const spent = await tx
      .update(invitations)
      .set({ acceptedAt: isoOf(now) })
      .where(and(eq(invitations.id, found.id), openInvitation(now)))
      .returning({ id: invitations.id })
    if (spent.length === 0) throw new SvcError('invitation-invalid')
    const { seats } = await limitsOf(tx, deps.plans, tenantId)
    assertRoom('seats', (await countSeats(tx, tenantId, now)).used, seats)
    const user = await makeUser(tx, now)
    await join(tx, found, user, now)
    const actor = { kind: 'user', userId: user.id, via: 'session' } as const
    const detail = { email, role }
    await recordAudit(tx, { tenantId, actor, action: 'invitation.accepted', targetId: user.id, detail, at: isoOf(now) })
    return user
  })
}
