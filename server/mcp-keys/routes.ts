import { count, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { mcpCapabilities, mcpKeys } from '../../db/tables.gen.ts'
import { type McpCapabilities, type McpKeyRecord, mcpKeysApi, mcpTools } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/audit.ts'
import type { Identity } from '../auth/identity.ts'
import { makeKey, readKey } from '../auth/key-format.ts'
import { grantedTenant, personOf } from '../auth/person.ts'
import { assertRoom, countKeys, limitsOf } from '../license/quota.ts'
import { routesOf, type Route } from '../mount.ts'
import { capabilitiesOf, checkTools, effectiveTools } from './capabilities.ts'

type McpKeyRow = typeof mcpKeys.$inferSelect

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const recordOf = (row: McpKeyRow, capabilities: McpCapabilities): McpKeyRecord => ({
  id: row.id,
  label: row.label,
  prefix: row.prefix,
  mode: row.mode,
  tools: [...row.tools],
  effective_tools: effectiveTools(capabilities, row),
  created_by: row.createdBy,
  created_at: row.createdAt,
  last_used_at: row.lastUsedAt,
})

async function findKey(reader: Reader, tenantId: string, id: string): Promise<McpKeyRow> {
  const [row] = await reader
    .select()
    .from(mcpKeys)
    .where(inTenant(mcpKeys, tenantId, eq(mcpKeys.id, id)))
  if (row === undefined) throw new SvcError('api-key-not-found', { key: id })
  return row
}

/** The routes of MCP keys and their capabilities (specification 4.16, 5 item 10). */
export const mcpKeyRoutes = (identity: Identity): Route[] => {
  const { db, now } = identity
  return routesOf(mcpKeysApi, {
    list: async ({ query }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      const where = inTenant(mcpKeys, tenantId)
      const { limit = 50, offset = 0 } = query ?? {}
      const rows = await db.read
        .select()
        .from(mcpKeys)
        .where(where)
        .orderBy(desc(mcpKeys.createdAt), desc(mcpKeys.id))
        .limit(limit)
        .offset(offset)
      const [total] = await db.read.select({ n: count() }).from(mcpKeys).where(where)
      const capabilities = await capabilitiesOf(db.read, tenantId)
      return { items: rows.map((row) => recordOf(row, capabilities)), total: total?.n ?? 0, limit, offset }
    },
    create: ({ body }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      const key = makeKey('mcp')
      const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
      return db.inTransaction(async (tx) => {
        await tx.lock(`mcp-keys:${tenantId}`)
        const { quotas } = await limitsOf(tx, identity.plans, tenantId)
        assertRoom('mcp_keys', await countKeys(tx, mcpKeys, tenantId), quotas.mcp_keys)
        const row: McpKeyRow = {
          id: newId(),
          tenantId,
          label: body.label,
          prefix,
          keyHash: hash,
          mode: 'inherit',
          tools: [],
          createdBy: personOf(grant),
          createdAt: iso(now()),
          lastUsedAt: null,
        }
        await tx.insert(mcpKeys).values(row)
        const detail = { label: row.label, prefix }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'mcp-key.created', targetId: row.id, detail, now: now() })
        return { ...recordOf(row, await capabilitiesOf(tx, tenantId)), key }
      })
    },
    remove: async ({ params }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      await db.inTransaction(async (tx) => {
        const row = await findKey(tx, tenantId, params.key_id)
        await tx.delete(mcpKeys).where(inTenant(mcpKeys, tenantId, eq(mcpKeys.id, row.id)))
        const detail = { label: row.label, prefix: row.prefix }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'mcp-key.deleted', targetId: row.id, detail, now: now() })
      })
      return null
    },
    setCapabilities: ({ params, body }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      return db.inTransaction(async (tx) => {
        const row = await findKey(tx, tenantId, params.key_id)
        const capabilities = await capabilitiesOf(tx, tenantId)
        const explicit = body.mode === 'explicit'
        if (explicit && body.tools === undefined)
          throw new SvcError('tools-invalid', { tools: [], reason: 'the mode "explicit" needs a list' })
        const tools = explicit ? checkTools(body.tools ?? [], capabilities.ceiling, 'the ceiling of the tenant') : []
        await tx
          .update(mcpKeys)
          .set({ mode: body.mode, tools })
          .where(inTenant(mcpKeys, tenantId, eq(mcpKeys.id, row.id)))
        const detail = { label: row.label, mode: body.mode, tools }
        await recordAudit(tx, {
          tenantId,
          actor: grant.principal,
          action: 'mcp-key.capabilities-set',
          targetId: row.id,
          detail,
          now: now(),
        })
        return recordOf({ ...row, mode: body.mode, tools }, capabilities)
      })
    },
    capabilities: (_, { grant }) => capabilitiesOf(db.read, grantedTenant(grant).id),
    setTenantCapabilities: ({ body }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      const ceiling = checkTools(body.ceiling, mcpTools, 'the registry of tools')
      const defaults = checkTools(body.defaults, ceiling, 'the ceiling')
      const values = { ceiling, defaults, updatedAt: iso(now()) }
      return db.inTransaction(async (tx) => {
        await tx
          .insert(mcpCapabilities)
          .values({ tenantId, ...values })
          .onConflictDoUpdate({ target: mcpCapabilities.tenantId, set: values })
        const detail = { ceiling, defaults }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'mcp-capabilities.set', detail, now: now() })
        return { ceiling, defaults }
      })
    },
  })
}
