import { eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { apiKeys, memberships, trusts, users } from '../../db/tables.gen.ts'
import { roleOnProject } from './project-roles.ts'

// Both engines limit the parameters of one statement.
const idsPerStatement = 200

/** A list in parts that fit into one statement. */
export function inParts<T>(all: readonly T[], size = idsPerStatement): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < all.length; from += size) parts.push(all.slice(from, from + size))
  return parts
}

/** The id of the person behind "user:ID"; null for a key and for the service. */
export const personIn = (actor: string | null): string | null =>
  actor?.startsWith('user:') === true ? actor.slice('user:'.length) : null

/** Who an actor is, as notifications, comments and reviews show it. */
export interface Described {
  /** Id of a user, or the kind and id of a key. */
  readonly id: string
  readonly name: string
}

/** Who actors are, by what `created_by` and the like keep; accounts and keys that are gone have a name that says so. */
export async function describeActors(
  read: Reader,
  tenantId: string,
  actors: Iterable<string | null>,
): Promise<ReadonlyMap<string, Described>> {
  const wanted = [...new Set(actors)].filter((it) => it !== null)
  const names = new Map<string, string>()
  const people = wanted.flatMap((it) => personIn(it) ?? [])
  for (const part of inParts(people)) {
    const rows = await read.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, part))
    for (const { id, name } of rows) names.set(`user:${id}`, name)
  }
  const keys = wanted.filter((it) => it.startsWith('api-key:')).map((it) => it.slice('api-key:'.length))
  for (const part of inParts(keys)) {
    const own = inTenant(apiKeys, tenantId, inArray(apiKeys.id, part))
    const rows = await read.select({ id: apiKeys.id, name: apiKeys.name }).from(apiKeys).where(own)
    for (const { id, name } of rows) names.set(`api-key:${id}`, `Key "${name}"`)
    const pipelines = await read
      .select({ id: trusts.id, name: trusts.name })
      .from(trusts)
      .where(inTenant(trusts, tenantId, inArray(trusts.id, part)))
    for (const { id, name } of pipelines) names.set(`api-key:${id}`, `Pipeline "${name}"`)
  }
  return new Map(
    wanted.map((it) => {
      const person = personIn(it)
      const gone = person === null ? 'A former key' : 'A former user'
      return [it, { id: person ?? it, name: names.get(it) ?? gone }]
    }),
  )
}

/**
 * Who of these people may view what the organization has, with their roles: the active members, and guests where all is about a project that
 * they have a role on.
 * @param projectId null: it is about no project, or about several
 */
export async function viewersOf(
  read: Reader,
  tenantId: string,
  ids: readonly string[],
  projectId: string | null = null,
) {
  const found = new Map<string, { readonly name: string; readonly role: typeof memberships.$inferSelect.role }>()
  for (const part of inParts([...new Set(ids)])) {
    const active = inTenant(
      memberships,
      tenantId,
      eq(memberships.status, 'active'),
      inArray(memberships.userId, part),
      eq(users.status, 'active'),
    )
    const rows = await read
      .select({ id: users.id, name: users.name, role: memberships.role })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(active)
    for (const { id, name, role } of rows) {
      const sees =
        role !== 'guest' || (projectId !== null && (await roleOnProject(read, tenantId, id, projectId)) !== null)
      if (sees) found.set(id, { name, role })
    }
  }
  return found
}

/** The members that administer an organization: its owners and admins, whether or not they are active. */
export async function administratorsOf(read: Reader, tenantId: string): Promise<readonly string[]> {
  const members = await read
    .select({ id: memberships.userId, role: memberships.role })
    .from(memberships)
    .where(inTenant(memberships, tenantId))
  return members.filter(({ role }) => role === 'owner' || role === 'admin').map(({ id }) => id)
}
