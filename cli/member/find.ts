import type { Call } from '../../src/api/endpoint.ts'
import { type MemberRecord, membersApi } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'

/**
 * The member whom a person names by e-mail address or id.
 * @throws SvcError `member-not-found`
 */
export async function memberOf(call: Call, tenantSlug: string, named: string): Promise<MemberRecord> {
  const wanted = named.toLowerCase()
  const query = { limit: 200, ...(named.includes('@') ? { q: named } : {}) }
  const { items } = await call(membersApi.list, { params: { tenant_slug: tenantSlug }, query })
  const found = items.find((it) => it.email.toLowerCase() === wanted || it.user_id === wanted)
  if (found === undefined) throw new SvcError('member-not-found', { member: named })
  return found
}
