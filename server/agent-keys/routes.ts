import { count, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { agentKeys } from '../../db/tables.gen.ts'
import { type AgentKeyRecord, agentKeysApi, type Toolset, toolsets } from '../../src/api/agent-keys.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/audit.ts'
import type { Identity } from '../auth/identity.ts'
import { makeKey, readKey } from '../auth/key-format.ts'
import { grantedTenant, personOf } from '../auth/person.ts'
import { routesOf, type Route } from '../mount.ts'

type AgentKeyRow = typeof agentKeys.$inferSelect

const dayMs = 24 * 3_600_000
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

function recordOf(row: AgentKeyRow, now: number): AgentKeyRecord {
  const ended = row.expiresAt <= iso(now) ? 'expired' : 'active'
  return {
    id: row.id,
    label: row.label,
    prefix: row.prefix,
    toolset: row.toolset as Toolset,
    tools: [...row.tools],
    status: row.revokedAt === null ? ended : 'revoked',
    created_by: row.createdBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    revoked_at: row.revokedAt,
  }
}

async function findKey(reader: Reader, tenantId: string, id: string): Promise<AgentKeyRow> {
  const [row] = await reader
    .select()
    .from(agentKeys)
    .where(inTenant(agentKeys, tenantId, eq(agentKeys.id, id)))
  if (row === undefined) throw new SvcError('api-key-not-found', { key: id })
  return row
}

/** The tools of a new key: a part of its toolset. Raises `tools-invalid`. */
function toolsOf(toolset: Toolset, given: readonly string[] | undefined): string[] {
  const contained: readonly string[] = toolsets[toolset]
  if (given === undefined) return [...contained]
  const outside = given.filter((tool) => !contained.includes(tool))
  if (outside.length > 0)
    throw new SvcError('tools-invalid', { tools: outside, reason: `not in the toolset ${toolset}` })
  return contained.filter((tool) => given.includes(tool))
}

/** The routes of agent keys (specification 4.1, 5 item 13). */
export const agentKeyRoutes = (identity: Identity): Route[] => {
  const { db, now } = identity
  return routesOf(agentKeysApi, {
    list: async ({ query }, { grant }) => {
      const where = inTenant(agentKeys, grantedTenant(grant).id)
      const { limit = 50, offset = 0 } = query ?? {}
      const rows = await db.read
        .select()
        .from(agentKeys)
        .where(where)
        .orderBy(desc(agentKeys.createdAt), desc(agentKeys.id))
        .limit(limit)
        .offset(offset)
      const [total] = await db.read.select({ n: count() }).from(agentKeys).where(where)
      return { items: rows.map((row) => recordOf(row, now())), total: total?.n ?? 0, limit, offset }
    },
    create: ({ body }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      const key = makeKey('agent')
      const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
      const at = now()
      const row: AgentKeyRow = {
        id: newId(),
        tenantId,
        label: body.label,
        prefix,
        keyHash: hash,
        toolset: body.toolset,
        tools: toolsOf(body.toolset, body.tools),
        createdBy: personOf(grant),
        createdAt: iso(at),
        expiresAt: iso(at + (body.expires_in_days ?? 30) * dayMs),
        lastUsedAt: null,
        revokedAt: null,
      }
      return db.inTransaction(async (tx) => {
        await tx.insert(agentKeys).values(row)
        const detail = { label: row.label, prefix, toolset: row.toolset }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'agent-key.created', targetId: row.id, detail, now: at })
        return { ...recordOf(row, at), key }
      })
    },
    get: async ({ params }, { grant }) => recordOf(await findKey(db.read, grantedTenant(grant).id, params.key), now()),
    revoke: async ({ params }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      await db.inTransaction(async (tx) => {
        const row = await findKey(tx, tenantId, params.key)
        if (row.revokedAt !== null) return
        await tx
          .update(agentKeys)
          .set({ revokedAt: iso(now()) })
          .where(inTenant(agentKeys, tenantId, eq(agentKeys.id, row.id)))
        const detail = { label: row.label, prefix: row.prefix }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'agent-key.revoked', targetId: row.id, detail, now: now() })
      })
      return null
    },
  })
}
