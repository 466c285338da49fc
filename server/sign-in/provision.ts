import { isoOf } from '../../db/clock.ts'
import { SvcError } from '../../src/errors.ts'
import {
  findVerifiedUser,
  grantInvitations,
  insertUser,
  lockAddress,
  normalizeEmail,
  normalizeName,
  type UserRow,
} from '../users/door.ts'
import { recordAudit } from '../auth/door.ts'
import { type ExternalPerson, findExternalUser, findLinkedUser, linkIdentity } from './external-identity.ts'
import { isInDirectory } from '../role-rules/door.ts'
import type { Identity } from './identity.ts'
import type { ProvisionRule } from './oidc-settings.ts'

function isAllowed({ allowedDomains }: ProvisionRule, { verifiedEmail }: ExternalPerson): boolean {
  if (allowedDomains.length === 0) return true
  const domain = verifiedEmail?.slice(verifiedEmail.lastIndexOf('@') + 1).toLowerCase()
  return domain !== undefined && allowedDomains.includes(domain)
}

async function makeAccount(deps: Identity, person: ExternalPerson, given: string): Promise<UserRow> {
  const email = normalizeEmail(given)
  return deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    await tx.lock(`identity:${person.issuer} ${person.subject}`)
    await lockAddress(tx, email)
    // Anyone who signs in twice at once gets one account.
    const known = await findLinkedUser(tx, person)
    if (known !== null) return known
    // A verified account that was not found above belongs to another subject.
    if ((await findVerifiedUser(tx, email)) !== null) throw new SvcError('oidc-account-unknown')
    const name = normalizeName(person.name ?? '', email).slice(0, 200)
    const user = await insertUser(tx, { email, name, passwordHash: null, boundTo: null, verified: true, now })
    await recordAudit(tx, { tenantId: null, actor: null, action: 'user.created', targetId: user.id, at: isoOf(now) })
    await linkIdentity(tx, user.id, person, now)
    await grantInvitations(tx, user, now)
    return user
  })
}

/**
 * The account of someone who came from the issuer, made when the rule allows it. Accounts of the address that no one
 * has proven stay as they are, beside it.
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
  // Whom a directory lists, its organization has invited.
  const isInvited = verifiedEmail !== null && !mayBeMade && (await isInDirectory(deps.db.read, verifiedEmail))
  if (verifiedEmail === null || (!mayBeMade && !isInvited)) throw new SvcError('oidc-account-unknown')
  return makeAccount(deps, person, verifiedEmail)
}
