import { eq, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { agentKeys } from '../../db/tables.gen.ts'
import type { AgentKeyRecord } from '../../src/api/agent-keys.ts'
import { type Toolset, toolsets } from '../../src/api/toolsets.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, makeKey, personOf, readKey, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'

type AgentKeyRow = typeof agentKeys.$inferSelect

const dayMs = 24 * 3_600_000
const defaultDays = 30

function recordOf(row: AgentKeyRow, now: string): AgentKeyRecord {
  const unrevoked = row.expiresAt <= now ? 'expired' : 'active'
  return {
    id: row.id,
    label: row.label,
    prefix: row.prefix,
    toolset: row.toolset as Toolset,
    tools: [...row.tools],
    status: row.revokedAt === null ? unrevoked : 'revoked',
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

/**
 * The tools of a new key: a part of its toolset.
 * @throws SvcError `tools-invalid`
 */
function toolsOf(toolset: Toolset, given: readonly string[] | undefined): string[] {
  const contained: readonly string[] = toolsets[toolset]
  if (given === undefined) return [...contained]
  const outside = given.filter((tool) => !contained.includes(tool))
  if (outside.length > 0)
    throw new SvcError('tools-invalid', { tools: outside, reason: `not in the toolset ${toolset}` })
  return contained.filter((tool) => given.includes(tool))
}

/** The agent keys of the tenant whose label or prefix contains `q`, newest first. */
export async function listKeys(deps: Deps, grant: Grant, { q, ...page }: StablePage & { readonly q: string | null }) {
  const { read } = deps.db
  const matches = q === null ? undefined : or(contains(agentKeys.label, q), contains(agentKeys.prefix, q))
  const where = inTenant(agentKeys, tenantOf(grant).id, matches)
  const now = deps.clock.iso()
  const { rows, page: counts } = await readStablePage(read, agentKeys, {
    where,
    order: [agentKeys.createdAt, agentKeys.id],
    page,
    added: agentKeys.createdAt,
    now: now,
  })
  return { items: rows.map((row) => recordOf(row, now)), ...counts }
}

/** @throws SvcError `api-key-not-found` */
export const getKey = async (deps: Deps, grant: Grant, id: string): Promise<AgentKeyRecord> =>
  recordOf(await findKey(deps.db.read, tenantOf(grant).id, id), deps.clock.iso())

/**
 * Creates a key, whose text is in this answer only.
 * @throws SvcError `tools-invalid`, `person-required`
 */
export function createKey(
  deps: Deps,
  grant: Grant,
  given: {
    readonly label: string
    readonly toolset: Toolset
    readonly tools?: readonly string[] | undefined
    readonly expires_in_days?: number | undefined
  },
): Promise<AgentKeyRecord> {
  const key = makeKey('agent')
  const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
  const now = deps.clock.now()
  const row: AgentKeyRow = {
    id: newId(),
    tenantId: tenantOf(grant).id,
    label: given.label,
    prefix,
    keyHash: hash,
    toolset: given.toolset,
    tools: toolsOf(given.toolset, given.tools),
    createdBy: personOf(grant),
    createdAt: isoOf(now),
    expiresAt: isoOf(now + (given.expires_in_days ?? defaultDays) * dayMs),
    lastUsedAt: null,
    revokedAt: null,
  }
  return deps.db.inTransaction(async (tx) => {
    await tx.insert(agentKeys).values(row)
    const detail = { label: row.label, prefix, toolset: row.toolset }
    const { tenantId, createdAt: at } = row
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'agent-key.created',
      targetId: row.id,
      detail,
      at,
    })
    return { ...recordOf(row, at), key }
  })
}

/**
 * Revokes a key for good; one that is revoked already stays as it is.
 * @throws SvcError `api-key-not-found`
 */
export async function revokeKey(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const row = await findKey(tx, tenantId, id)
    if (row.revokedAt !== null) return
    const at = deps.clock.iso()
    await tx
      .update(agentKeys)
      .set({ revokedAt: at })
      .where(inTenant(agentKeys, tenantId, eq(agentKeys.id, row.id)))
    const detail = { label: row.label, prefix: row.prefix }
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'agent-key.revoked',
      targetId: row.id,
      detail,
      at,
    })
  })
}
