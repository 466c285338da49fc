import type { Call } from '../../src/api/endpoint.ts'
import { type MemberRecord, membersApi } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'
import { findInPages } from '../paging.ts'

/**
 * The member with an e-mail address or id.
 * @throws SvcError `member-not-found`
 */
export async function memberOf(call: Call, tenantSlug: string, named: string): Promise<MemberRecord> {
  const wanted = named.toLowerCase()
  const q = named.includes('@') ? { q: named } : {}
  const params = { tenant_slug: tenantSlug }
  const found = await findInPages(
    (page) => call(membersApi.list, { params, query: { ...page, ...q } }),
    (it) => it.email.toLowerCase() === wanted || it.user_id === wanted,
  )
  if (found === undefined) throw new SvcError('member-not-found', { member: named })
  return found
}
