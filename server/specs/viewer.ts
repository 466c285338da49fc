import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import { mcpTools } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import type { Reader } from '../../db/database.ts'
import { memberships, versions } from '../../db/tables.gen.ts'
import { type Principal, tenantsClosedTo } from '../auth/door.ts'
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
}

async function tenantsOf(read: Reader, principal: Principal | null): Promise<readonly string[]> {
  if (principal === null) return []
  if (principal.kind === 'user') {
    const rows = await read
      .select({ tenantId: memberships.tenantId })
      .from(memberships)
      .where(and(eq(memberships.userId, principal.userId), eq(memberships.status, 'active')))
    const closed = principal.via === 'local' ? [] : await tenantsClosedTo(read, principal.userId)
    return rows.map(({ tenantId }) => tenantId).filter((tenantId) => !closed.some((it) => it.id === tenantId))
  }
  // A key with a narrow scope reaches what its scope names, and no catalogue.
  if (principal.kind === 'api-key' && !principal.scopes.includes('*')) return []
  return principal.kind === 'gateway-key' ? [] : [principal.tenantId]
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
  const bound = principal.kind === 'user' ? await tenantsOf(read, principal) : [principal.tenantId]
  const ceilings = await ceilingsOf(read, bound)
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
  const tenants = await tenantsOf(read, principal)
  if (!isAgent || principal?.kind !== 'user') return { principal, tenants }
  const ceilings = await ceilingsOf(read, tenants)
  return { principal, tenants: ceilings.filter((it) => it.ceiling.includes(tool)).map(({ tenant }) => tenant) }
}

/** The versions that a caller may read to check them: those, and the drafts of the caller's tenants, which keys for published specifications do not reach. */
export const readableBy = (viewer: Viewer): SQL => {
  const { principal, tenants } = viewer
  if (tenants.length === 0 || principal?.kind === 'mcp-key') return visibleTo(viewer)
  return or(visibleTo(viewer), inArray(versions.tenantId, [...tenants])) as SQL
}

/** The versions that a caller may read as published specifications: public ones, and all of the caller's tenants. */
export function visibleTo({ tenants }: Viewer): SQL {
  const seen = or(
    eq(versions.visibility, 'public'),
    tenants.length === 0 ? undefined : inArray(versions.tenantId, [...tenants]),
  )
  // and() of something is something.
  return and(inArray(versions.status, ['published', 'deprecated']), seen) as SQL
}
