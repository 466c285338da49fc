import { and, asc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { tenants, users } from '../../db/tables.gen.ts'
import { ofAddress, type UserRow } from './find.ts'

/**
 * How many accounts of one address a password is tried on. Anybody who owns an organization can make accounts for an
 * address, so that their number must not decide what a guess costs the service.
 */
const maxCandidates = 3

/** What narrows the accounts of an address down. */
export interface CandidateQuery {
  readonly email: string
  /** Accounts that the invitations of this organization made come before those of others. */
  readonly preferredTenant: string | null
  /** Leaves out what the invitations of other organizations than the preferred one made. */
  readonly onlyPreferred?: boolean
}

/**
 * The accounts that a password for an address is tried on, the most entitled first: the one whose address is verified,
 * the one that the operator made, that of the preferred organization, then the oldest, which no one can displace later.
 */
export async function findCandidates(reader: Reader, query: CandidateQuery): Promise<UserRow[]> {
  const preferred = query.preferredTenant ?? ''
  const entitled = or(isNotNull(users.emailVerifiedAt), isNull(users.boundTo), eq(users.boundTo, preferred))
  const rank = sql`case when ${users.emailVerifiedAt} is not null then 0 when ${users.boundTo} is null then 1
    when ${users.boundTo} = ${preferred} then 2 else 3 end`
  return reader
    .select()
    .from(users)
    .where(and(ofAddress(query.email), query.onlyPreferred === true ? entitled : undefined))
    .orderBy(rank, asc(users.createdAt), asc(users.id))
    .limit(maxCandidates)
}

/** The id of the organization that a sign-in names; null where it names none, or none that exists. */
export async function preferredTenantOf(reader: Reader, slug: string | undefined): Promise<string | null> {
  if (slug === undefined) return null
  const [row] = await reader.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug))
  return row?.id ?? null
}
