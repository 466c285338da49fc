import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { mcpTools } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import type { Reader } from '../../db/database.ts'
import { memberships, versions } from '../../db/tables.gen.ts'
import { grantedProjects, type Principal, tenantsClosedTo } from '../auth/door.ts'
import { ceilingOf, toolsOfKey } from '../mcp-keys/door.ts'

/** Tools as the contracts of published specifications answer them. */
export type SpecTool = (typeof mcpTools)[number]

/** Who asks by which way. */
export interface Asker {
  readonly principal: Principal | null
  /** Whether an agent asks: what an organization allows agents binds it, whatever its credentials. */
  readonly isAgent: boolean
}

/** Who reads, and the tenants whose private specifications they may read; none for the anonymous one. */
export interface Viewer {
  readonly principal: Principal | null
  readonly tenants: readonly string[]
  /** Tenants in which they are guests: they see only the projects that they have a role on. */
  readonly guestOf: readonly string[]
}

/** The tenants that a caller belongs to. */
interface Tenants {
  readonly whole: readonly string[]
  readonly asGuest: readonly string[]
}

const alone = (...whole: readonly string[]): Tenants => ({ whole, asGuest: [] })

async function tenantsOf(read: Reader, principal: Principal | null): Promise<Tenants> {
  if (principal === null) return alone()
  if (principal.kind === 'user') {
    const rows = await read
      .select({ tenantId: memberships.tenantId, role: memberships.role })
      .from(memberships)
      .where(and(eq(memberships.userId, principal.userId), eq(memberships.status, 'active')))
    const closed = principal.via === 'local' ? [] : await tenantsClosedTo(read, principal.userId)
    const open = rows.filter(({ tenantId }) => !closed.some((it) => it.id === tenantId))
    const [guests, members] = [open.filter(({ role }) => role === 'guest'), open.filter(({ role }) => role !== 'guest')]
    return { whole: members.map(({ tenantId }) => tenantId), asGuest: guests.map(({ tenantId }) => tenantId) }
  }
  // A key with a narrow scope reaches what its scope names, and no catalogue.
  if (principal.kind === 'api-key' && !principal.scopes.includes('*')) return alone()
  return principal.kind === 'gateway-key' ? alone() : alone(principal.tenantId)
}

/** What each of these tenants allows agents. */
const ceilingsOf = (read: Reader, tenants: readonly string[]) =>
  Promise.all(tenants.map(async (tenant) => ({ tenant, ceiling: await ceilingOf(read, tenant) })))

/**
 * The tools that a caller may use: those that their kind of credentials has, within what their organization allows agents. A key is
 * bound by its own organization; a person by all of theirs, where what one of them allows is allowed.
 */
export async function toolsOf(read: Reader, { principal, isAgent }: Asker): Promise<readonly SpecTool[]> {
  if (principal === null) return mcpTools
  if (principal.kind === 'gateway-key') return []
  if (principal.kind === 'mcp-key') {
    const enabled = await toolsOfKey(read, principal.tenantId, principal.keyId)
    return mcpTools.filter((tool) => enabled.has(tool))
  }
  if (!isAgent && principal.kind !== 'agent-key') return mcpTools
  const { whole, asGuest } = principal.kind === 'user' ? await tenantsOf(read, principal) : alone(principal.tenantId)
  const ceilings = await ceilingsOf(read, [...whole, ...asGuest])
  const allowed = mcpTools.filter((tool) => ceilings.length === 0 || ceilings.some((it) => it.ceiling.includes(tool)))
  return principal.kind === 'agent-key' ? allowed.filter((tool) => principal.tools.includes(tool)) : allowed
}

/**
 * Who reads by a tool.
 * @throws SvcError `capability_disabled` for a tool that is not enabled for the caller, before anything is looked up
 */
export async function viewerOf(read: Reader, asker: Asker, tool: string): Promise<Viewer> {
  const { principal, isAgent } = asker
  const tools: readonly string[] = await toolsOf(read, asker)
  if (!tools.includes(tool)) throw new SvcError('capability_disabled', { tool })
  const { whole, asGuest } = await tenantsOf(read, principal)
  if (!isAgent || principal?.kind !== 'user') return { principal, tenants: whole, guestOf: asGuest }
  const ceilings = await ceilingsOf(read, [...whole, ...asGuest])
  const allows = (id: string): boolean => ceilings.some((it) => it.tenant === id && it.ceiling.includes(tool))
  return { principal, tenants: whole.filter(allows), guestOf: asGuest.filter(allows) }
}

/** The versions of the projects that a guest has a role on. */
const seenAsGuest = ({ principal, guestOf }: Viewer): SQL | undefined =>
  principal?.kind === 'user'
    ? or(...guestOf.map((id) => sql`${versions.projectId} in ${grantedProjects(id, principal.userId)}`))
    : undefined

/** The versions that a caller may read to check them: those, and the drafts of the caller's tenants, which keys for published specifications do not reach. */
export const readableBy = (viewer: Viewer): SQL => {
  const { principal, tenants } = viewer
  if (principal?.kind === 'mcp-key') return visibleTo(viewer)
  const own = tenants.length === 0 ? undefined : inArray(versions.tenantId, [...tenants])
  return or(visibleTo(viewer), own, seenAsGuest(viewer)) as SQL
}

/** The versions that a caller may read as published specifications: public ones, and all of the caller's tenants. */
export function visibleTo(viewer: Viewer): SQL {
  const { tenants } = viewer
  const seen = or(
    eq(versions.visibility, 'public'),
    tenants.length === 0 ? undefined : inArray(versions.tenantId, [...tenants]),
    seenAsGuest(viewer),
  )
  // and() of something is something.
  return and(inArray(versions.status, ['published', 'deprecated']), seen) as SQL
}
