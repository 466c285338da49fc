import { eq, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { mcpCapabilities, mcpKeys } from '../../db/tables.gen.ts'
import { type McpCapabilities, type McpKeyRecord, mcpTools } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, makeKey, personOf, readKey, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { assertRoom, countKeys, limitsOf } from '../license/door.ts'
import { capabilitiesOf, checkTools, effectiveTools } from './capabilities.ts'

type McpKeyRow = typeof mcpKeys.$inferSelect

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

/** The MCP keys of the tenant whose label or prefix contains `q`, newest first. */
export async function listKeys(deps: Deps, grant: Grant, { q, ...page }: StablePage & { readonly q: string | null }) {
  const { read } = deps.db
  const { id: tenantId } = tenantOf(grant)
  const matches = q === null ? undefined : or(contains(mcpKeys.label, q), contains(mcpKeys.prefix, q))
  const where = inTenant(mcpKeys, tenantId, matches)
  const { rows, page: counts } = await readStablePage(read, mcpKeys, {
    where,
    order: [mcpKeys.createdAt, mcpKeys.id],
    page,
    added: mcpKeys.createdAt,
    now: deps.clock.iso(),
  })
  const capabilities = await capabilitiesOf(read, tenantId)
  return { items: rows.map((row) => recordOf(row, capabilities)), ...counts }
}

/**
 * Creates a key, whose text is in this answer only.
 * @throws SvcError `quota-exceeded`, `person-required`
 */
export function createKey(deps: Deps, grant: Grant, label: string): Promise<McpKeyRecord> {
  const { id: tenantId } = tenantOf(grant)
  const key = makeKey('mcp')
  const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`mcp-keys:${tenantId}`)
    const { quotas } = await limitsOf(tx, deps.plans, tenantId)
    assertRoom('mcp_keys', await countKeys(tx, mcpKeys, tenantId), quotas.mcp_keys)
    const row: McpKeyRow = {
      id: newId(),
      tenantId,
      label,
      prefix,
      keyHash: hash,
      mode: 'inherit',
      tools: [],
      createdBy: personOf(grant),
      createdAt: deps.clock.iso(),
      lastUsedAt: null,
    }
    await tx.insert(mcpKeys).values(row)
    await note(deps, tx, grant, 'mcp-key.created', row)
    return { ...recordOf(row, await capabilitiesOf(tx, tenantId)), key }
  })
}

/** @throws SvcError `api-key-not-found` */
export async function removeKey(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const row = await findKey(tx, tenantId, id)
    await tx.delete(mcpKeys).where(inTenant(mcpKeys, tenantId, eq(mcpKeys.id, row.id)))
    await note(deps, tx, grant, 'mcp-key.deleted', row)
  })
}

/**
 * Sets which tools a key may call: those that its tenant gives to every key, or a list of its own.
 * @throws SvcError `api-key-not-found`, `tools-invalid`
 */
export function setKeyTools(
  deps: Deps,
  grant: Grant,
  id: string,
  given: { readonly mode: 'inherit' | 'explicit'; readonly tools?: readonly string[] | undefined },
): Promise<McpKeyRecord> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    const row = await findKey(tx, tenantId, id)
    const capabilities = await capabilitiesOf(tx, tenantId)
    const { mode } = given
    if (mode === 'explicit' && given.tools === undefined)
      throw new SvcError('tools-invalid', { tools: [], reason: 'the mode "explicit" needs a list' })
    const tools =
      mode === 'explicit'
        ? checkTools(given.tools ?? [], capabilities.ceiling, 'the tools that the organization allows')
        : []
    await tx
      .update(mcpKeys)
      .set({ mode, tools })
      .where(inTenant(mcpKeys, tenantId, eq(mcpKeys.id, row.id)))
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'mcp-key.capabilities-set',
      targetId: row.id,
      detail: { label: row.label, mode, tools },
      at: deps.clock.iso(),
    })
    return recordOf({ ...row, mode, tools }, capabilities)
  })
}

/** Which tools the keys of a tenant may call at most, and by default. */
export const getTenantTools = (deps: Deps, grant: Grant): Promise<McpCapabilities> =>
  capabilitiesOf(deps.db.read, tenantOf(grant).id)

/**
 * Sets which tools the keys of the tenant may call at most, and which they may call by default.
 * @throws SvcError `tools-invalid`
 */
export function setTenantTools(
  deps: Deps,
  grant: Grant,
  given: { readonly ceiling: readonly string[]; readonly defaults: readonly string[] },
): Promise<McpCapabilities> {
  const { id: tenantId } = tenantOf(grant)
  const ceiling = checkTools(given.ceiling, mcpTools, 'the registry of tools')
  const defaults = checkTools(given.defaults, ceiling, 'the ceiling')
  const at = deps.clock.iso()
  const values = { ceiling, defaults, updatedAt: at }
  return deps.db.inTransaction(async (tx) => {
    await tx
      .insert(mcpCapabilities)
      .values({ tenantId, ...values })
      .onConflictDoUpdate({ target: mcpCapabilities.tenantId, set: values })
    const detail = { ceiling, defaults }
    await recordAudit(tx, { tenantId, actor: grant.principal, action: 'mcp-capabilities.set', detail, at })
    return { ceiling, defaults }
  })
}

/** Notes a change of a key in the audit trail. */
const note = (
  deps: Deps,
  tx: Transaction,
  grant: Grant,
  action: 'mcp-key.created' | 'mcp-key.deleted',
  { id, tenantId, label, prefix }: McpKeyRow,
): Promise<void> =>
  recordAudit(tx, {
    tenantId,
    actor: grant.principal,
    action,
    targetId: id,
    detail: { label, prefix },
    at: deps.clock.iso(),
  })
