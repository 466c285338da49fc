import type { Reader } from '../../db/database.ts'
import { inTenant } from '../../db/conditions.ts'
import { mcpCapabilities, mcpKeys } from '../../db/tables.gen.ts'
import { mcpTools, type McpCapabilities } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import { eq } from 'drizzle-orm'

/** What the keys of a tenant may call at most and by default: every tool, until the tenant says otherwise. */
export async function capabilitiesOf(reader: Reader, tenantId: string): Promise<McpCapabilities> {
  const [row] = await reader.select().from(mcpCapabilities).where(inTenant(mcpCapabilities, tenantId))
  return { ceiling: [...(row?.ceiling ?? mcpTools)], defaults: [...(row?.defaults ?? mcpTools)] }
}

/** What a tenant allows agents at most. */
export const ceilingOf = async (reader: Reader, tenantId: string): Promise<readonly string[]> =>
  (await capabilitiesOf(reader, tenantId)).ceiling

/**
 * What a key may call: within the ceiling, and either in the defaults it inherits or in its own set. A tool taken out
 * of the ceiling is so gone from every key at once.
 */
export function effectiveTools(
  capabilities: McpCapabilities,
  key: { readonly mode: 'inherit' | 'explicit'; readonly tools: readonly string[] },
): string[] {
  const enabled = key.mode === 'inherit' ? capabilities.defaults : key.tools
  return capabilities.ceiling.filter((tool) => enabled.includes(tool))
}

/** The tools that an MCP key may call now; none for a key that is gone. */
export async function toolsOfKey(reader: Reader, tenantId: string, keyId: string): Promise<ReadonlySet<string>> {
  const [key] = await reader
    .select()
    .from(mcpKeys)
    .where(inTenant(mcpKeys, tenantId, eq(mcpKeys.id, keyId)))
  return new Set(key === undefined ? [] : effectiveTools(await capabilitiesOf(reader, tenantId), key))
}

/**
 * Tools in the order of the registry, each once.
 * @throws SvcError `tools-invalid` for those that are not in `within`
 */
export function checkTools(given: readonly string[], within: readonly string[], place: string): string[] {
  const outside = given.filter((tool) => !within.includes(tool))
  if (outside.length > 0) throw new SvcError('tools-invalid', { tools: outside, reason: `not in ${place}` })
  return within.filter((tool) => given.includes(tool))
}
