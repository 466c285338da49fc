import type { Call } from '../../src/api/endpoint.ts'
import { type InvitationRecord, type MemberRecord, membersApi } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { findInPages } from '../paging.ts'

async function findMember(call: Call, tenantSlug: string, named: string): Promise<MemberRecord | undefined> {
  const wanted = named.toLowerCase()
  const q = named.includes('@') ? { q: named } : {}
  const params = { tenant_slug: tenantSlug }
  return findInPages(
    (page) => call(membersApi.list, { params, query: { ...page, ...q } }),
    (it) => it.email.toLowerCase() === wanted || it.user_id === wanted,
  )
}

/**
 * The member with an e-mail address or id.
 * @throws SvcError `member-not-found`
 */
export async function memberOf(call: Call, tenantSlug: string, named: string): Promise<MemberRecord> {
  const found = await findMember(call, tenantSlug, named)
  if (found === undefined) throw new SvcError('member-not-found', { member: named })
  return found
}

/**
 * The id of the member with an e-mail address or id.
 * @throws SvcError `member-not-found`
 */
export async function memberIdOf(named: string, { connection }: Invocation): Promise<string> {
  const { call, tenant } = await connection()
  return (await memberOf(call, await tenant(), named)).user_id
}

/**
 * The member with an e-mail address or id, else the open invitation of that address.
 * @throws SvcError `member-not-found`
 */
export async function memberOrInvitation(
  call: Call,
  tenantSlug: string,
  named: string,
): Promise<{ readonly member: MemberRecord } | { readonly invitation: InvitationRecord }> {
  const member = await findMember(call, tenantSlug, named)
  if (member !== undefined) return { member }
  const invitation = await findInPages(
    (query) => call(membersApi.invitations, { params: { tenant_slug: tenantSlug }, query }),
    (it) => it.email === named.toLowerCase(),
  )
  if (invitation === undefined) throw new SvcError('member-not-found', { member: named })
  return { invitation }
}
