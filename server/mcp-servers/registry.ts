import { and, asc, desc, eq, gt, gte, type SQL } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { mcpApprovals, mcpEndpoints, mcpRegistries, tenants } from '../../db/tables.gen.ts'
import type { McpRegistryServer } from '../../src/api/mcp-server-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { etagOf, isKnown, Reply } from '../http/door.ts'
import { digestOf } from '../../db/content.ts'

type Audience = 'anyone-with-link' | 'public'
type ApprovalRow = typeof mcpApprovals.$inferSelect

/** Where the official registry puts what it knows of a version; hosts read it from there. */
const officialMeta = 'io.modelcontextprotocol.registry/official'

/** Endpoints whose observed surface is the approved one: what drifted is not offered to hosts. */
const isListed: SQL = eq(mcpEndpoints.approvedFingerprint, mcpEndpoints.observedFingerprint)

async function registryOf(reader: Reader, tenantId: string) {
  const [row] = await reader.select().from(mcpRegistries).where(inTenant(mcpRegistries, tenantId))
  return row ?? null
}

async function countListed(reader: Reader, tenantId: string): Promise<number> {
  return reader.$count(mcpEndpoints, inTenant(mcpEndpoints, tenantId, isListed))
}

/** Whether the registry is published, and where. */
export async function showRegistry(deps: Deps, grant: Grant) {
  const { id: tenantId, slug } = tenantOf(grant)
  const { read } = deps.db
  const row = await registryOf(read, tenantId)
  return {
    enabled: row?.enabled ?? false,
    audience: row?.audience ?? ('anyone-with-link' as const),
    url: `${deps.publicUrl()}/v1/mcp/${encodeURIComponent(slug)}/registry`,
    servers: await countListed(read, tenantId),
    updated_at: row?.updatedAt ?? null,
  }
}

/** Publishes the registry, or stops that. */
export async function setRegistry(
  deps: Deps,
  grant: Grant,
  { enabled, audience }: { readonly enabled: boolean; readonly audience?: Audience },
) {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    const before = await registryOf(tx, tenantId)
    const set = {
      enabled,
      audience: audience ?? before?.audience ?? ('anyone-with-link' as const),
      updatedBy: actorOf(grant),
      updatedAt: at,
    }
    await tx
      .insert(mcpRegistries)
      .values({ tenantId, ...set })
      .onConflictDoUpdate({ target: mcpRegistries.tenantId, set })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'mcp-registry.set',
      detail: { enabled: set.enabled, audience: set.audience },
      at,
    })
  })
  return showRegistry(deps, grant)
}

interface Published {
  readonly tenantId: string
  readonly audience: Audience
}

/** The registry of an organization. @throws SvcError `registry-disabled`, also for an organization that is not there */
async function published(deps: Deps, slug: string): Promise<Published> {
  const [row] = await deps.db.read
    .select({ tenantId: tenants.id, enabled: mcpRegistries.enabled, audience: mcpRegistries.audience })
    .from(tenants)
    .innerJoin(mcpRegistries, eq(mcpRegistries.tenantId, tenants.id))
    .where(eq(tenants.slug, slug))
  if (row === undefined || !row.enabled) throw new SvcError('registry-disabled', { tenant: slug })
  return row
}

const entryOf = (row: ApprovalRow, isLatest: boolean): McpRegistryServer => ({
  server: row.server,
  _meta: {
    [officialMeta]: {
      status: 'active',
      statusChangedAt: row.approvedAt,
      publishedAt: row.approvedAt,
      updatedAt: row.approvedAt,
      isLatest,
    },
  },
})

function reply(value: unknown, audience: Audience, ifNoneMatch: string | null): Reply {
  const body = JSON.stringify(value)
  const etag = etagOf(digestOf(new TextEncoder().encode(body)))
  const headers = {
    'content-type': 'application/json',
    etag,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag',
    ...(audience === 'public'
      ? { 'cache-control': 'public, max-age=60' }
      : { 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' }),
  }
  return isKnown(ifNoneMatch, etag) ? new Reply({ status: 304, headers, body: null }) : new Reply({ headers, body })
}

const cursorOf = (name: string): string => Buffer.from(JSON.stringify(['mcp-registry', name])).toString('base64url')

/** @throws SvcError `cursor-invalid` */
function nameIn(cursor: string): string {
  try {
    const [kind, name] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (kind === 'mcp-registry' && typeof name === 'string') return name
  } catch {
    // It is not a cursor of this registry.
  }
  throw new SvcError('cursor-invalid')
}

/** What a host asks the list for. */
export interface RegistryQuery {
  readonly cursor?: string
  readonly limit?: number
  readonly search?: string
  readonly updated_since?: string
  readonly version?: string
}

const instantOf = (text: string): string => new Date(text).toISOString()

/**
 * The approved servers, by name: the last approval of each.
 * @throws SvcError `registry-disabled`, `cursor-invalid`
 */
export async function listServers(
  deps: Deps,
  slug: string,
  query: RegistryQuery,
  ifNoneMatch: string | null,
): Promise<Reply> {
  const { tenantId, audience } = await published(deps, slug)
  const { limit = 30, cursor, search, updated_since: since, version } = query
  const rows = await deps.db.read
    .select({ approval: mcpApprovals })
    .from(mcpEndpoints)
    .innerJoin(mcpApprovals, and(eq(mcpApprovals.id, mcpEndpoints.approvalId), eq(mcpApprovals.tenantId, tenantId)))
    .where(
      inTenant(
        mcpEndpoints,
        tenantId,
        isListed,
        cursor === undefined ? undefined : gt(mcpApprovals.serverName, nameIn(cursor)),
        search === undefined ? undefined : contains(mcpApprovals.serverName, search),
        since === undefined ? undefined : gte(mcpApprovals.approvedAt, instantOf(since)),
        version === undefined || version === 'latest' ? undefined : eq(mcpApprovals.version, version),
      ),
    )
    .orderBy(asc(mcpApprovals.serverName))
    .limit(limit + 1)
  const page = rows.slice(0, limit).map(({ approval }) => approval)
  const last = page.at(-1)
  const next = rows.length > limit && last !== undefined ? { nextCursor: cursorOf(last.serverName) } : {}
  const servers = page.map((row) => entryOf(row, true))
  return reply({ servers, metadata: { count: servers.length, ...next } }, audience, ifNoneMatch)
}

/** The approved versions of a server, newest first, each once. */
async function versionsOf(deps: Deps, tenantId: string, name: string): Promise<ApprovalRow[]> {
  const rows = await deps.db.read
    .select({ approval: mcpApprovals })
    .from(mcpApprovals)
    .innerJoin(
      mcpEndpoints,
      and(eq(mcpEndpoints.id, mcpApprovals.endpointId), inTenant(mcpEndpoints, tenantId, isListed)),
    )
    .where(inTenant(mcpApprovals, tenantId, eq(mcpApprovals.serverName, name)))
    .orderBy(desc(mcpApprovals.approvedAt), desc(mcpApprovals.id))
  const byVersion = new Map<string, ApprovalRow>()
  for (const { approval } of rows) if (!byVersion.has(approval.version)) byVersion.set(approval.version, approval)
  return [...byVersion.values()]
}

/** @throws SvcError `registry-disabled`, `registry-server-not-found` */
export async function listVersions(deps: Deps, slug: string, name: string, ifNoneMatch: string | null): Promise<Reply> {
  const { tenantId, audience } = await published(deps, slug)
  const versions = await versionsOf(deps, tenantId, name)
  if (versions.length === 0) throw new SvcError('registry-server-not-found', { server: name })
  const servers = versions.map((row, n) => entryOf(row, n === 0))
  return reply({ servers, metadata: { count: servers.length } }, audience, ifNoneMatch)
}

/** @throws SvcError `registry-disabled`, `registry-server-not-found` */
export async function showVersion(
  deps: Deps,
  slug: string,
  { name, version }: { readonly name: string; readonly version: string },
  ifNoneMatch: string | null,
): Promise<Reply> {
  const { tenantId, audience } = await published(deps, slug)
  const versions = await versionsOf(deps, tenantId, name)
  const index = version === 'latest' ? 0 : versions.findIndex((row) => row.version === version)
  const found = versions[index]
  if (found === undefined) throw new SvcError('registry-server-not-found', { server: `${name} ${version}` })
  return reply(entryOf(found, index === 0), audience, ifNoneMatch)
}
