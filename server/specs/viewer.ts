import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import { mcpTools } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import type { Reader } from '../../db/database.ts'
import { memberships, versions } from '../../db/tables.gen.ts'
import type { Principal } from '../auth/door.ts'
import { toolsOfKey } from '../mcp-keys/door.ts'

/** Tools as the contracts of published specifications answer them. */
export type SpecTool = (typeof mcpTools)[number]

/** The tenants whose private specifications a caller may read; none for the anonymous one. */
export async function tenantsOf(read: Reader, principal: Principal | null): Promise<readonly string[]> {
  if (principal === null) return []
  if (principal.kind === 'user') {
    const rows = await read
      .select({ tenantId: memberships.tenantId })
      .from(memberships)
      .where(and(eq(memberships.userId, principal.userId), eq(memberships.status, 'active')))
    return rows.map(({ tenantId }) => tenantId)
  }
  // A key with a narrow scope reaches what its scope names, and no catalogue.
  if (principal.kind === 'api-key' && !principal.scopes.includes('*')) return []
  return principal.kind === 'gateway-key' ? [] : [principal.tenantId]
}

/** The tools that a caller may use: keys of agents and hosts have their own sets, everyone else all. */
export async function toolsOf(read: Reader, principal: Principal | null): Promise<readonly SpecTool[]> {
  if (principal?.kind === 'agent-key') return mcpTools.filter((tool) => principal.tools.includes(tool))
  if (principal?.kind === 'gateway-key') return []
  if (principal?.kind !== 'mcp-key') return mcpTools
  const enabled = await toolsOfKey(read, principal.tenantId, principal.keyId)
  return mcpTools.filter((tool) => enabled.has(tool))
}

/** @throws SvcError `capability_disabled` for a tool that is not enabled for the caller */
export async function assertTool(read: Reader, principal: Principal | null, tool: SpecTool): Promise<void> {
  if (!(await toolsOf(read, principal)).includes(tool)) throw new SvcError('capability_disabled', { tool })
}

/** The versions that a caller may read as published specifications: public ones, and all of the caller's tenants. */
export async function visibleTo(read: Reader, principal: Principal | null): Promise<SQL> {
  const own = await tenantsOf(read, principal)
  const seen = or(
    eq(versions.visibility, 'public'),
    own.length === 0 ? undefined : inArray(versions.tenantId, [...own]),
  )
  // and() of something is something.
  return and(inArray(versions.status, ['published', 'deprecated']), seen) as SQL
}
