import { isoOf } from '../../db/clock.ts'
import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { invitations, memberships } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { openInvitation } from '../license/quota.ts'
import { normalizeEmail, normalizeName } from '../users/email.ts'
import { findUserByEmail, type UserRow } from '../users/find.ts'
import { insertUser } from '../users/service.ts'
import { recordAudit } from './audit.ts'
import { type ExternalPerson, findExternalUser, linkIdentity } from './external-identity.ts'
import type { Identity } from './identity.ts'
import type { ProvisionRule } from './oidc-settings.ts'

function isAllowed({ allowedDomains }: ProvisionRule, { verifiedEmail }: ExternalPerson): boolean {
  if (allowedDomains.length === 0) return true
  const domain = verifiedEmail?.slice(verifiedEmail.lastIndexOf('@') + 1).toLowerCase()
  return domain !== undefined && allowedDomains.includes(domain)
}

/** An open invitation becomes a membership that its person can activate: their address is proven. */
async function grantInvitations(tx: Transaction, user: UserRow, now: number): Promise<void> {
  const open = await tx
    .select({ tenantId: invitations.tenantId, role: invitations.role })
    .from(invitations)
    .where(and(eq(invitations.email, user.email.toLowerCase()), openInvitation(now)))
  for (const { tenantId, role } of open)
    await tx
      .insert(memberships)
      .values({ tenantId, userId: user.id, role, status: 'pending', createdAt: isoOf(now) })
      .onConflictDoNothing()
}

async function makeAccount(deps: Identity, person: ExternalPerson, given: string): Promise<UserRow> {
  const email = normalizeEmail(given)
  return deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    await tx.lock(`identity:${person.issuer} ${person.subject}`)
    // Whoever signs in twice at once gets one account.
    const known = await findUserByEmail(tx, email)
    if (known !== null) return known
    const name = normalizeName(person.name ?? '', email)
    const user = await insertUser(tx, { email, name: name.slice(0, 200), passwordHash: null, now })
    await recordAudit(tx, { tenantId: null, actor: null, action: 'user.created', targetId: user.id, at: isoOf(now) })
    await linkIdentity(tx, user.id, person, now)
    await grantInvitations(tx, user, now)
    return user
  })
}

/**
 * The account of somebody who came from the issuer, made when the rule allows it.
 * @throws SvcError `oidc-account-unknown`, `oidc-refused` for a disabled account
 */
export async function accountOf(deps: Identity, person: ExternalPerson, rule: ProvisionRule): Promise<UserRow> {
  if (!isAllowed(rule, person)) throw new SvcError('oidc-account-unknown')
  const known = await findExternalUser(deps, person)
  if (known !== null) {
    if (known.status !== 'active') throw new SvcError('oidc-refused', { reason: 'the account is disabled' })
    return known
  }
  const { verifiedEmail } = person
  const mayBeMade = rule.provision === 'all' || (rule.provision === 'domains' && rule.allowedDomains.length > 0)
  if (verifiedEmail === null || !mayBeMade) throw new SvcError('oidc-account-unknown')
  // An account of this address that was not found above belongs to another subject.
  if ((await findUserByEmail(deps.db.read, verifiedEmail)) !== null) throw new SvcError('oidc-account-unknown')
  return makeAccount(deps, person, verifiedEmail)
}
