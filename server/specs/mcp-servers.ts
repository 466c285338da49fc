import { and, asc, eq, isNotNull, or, sql, type SQL } from 'drizzle-orm'
import { after, contains, inTenant, isTenant } from '../../db/conditions.ts'
import { mcpEndpoints, tenants } from '../../db/tables.gen.ts'
import type { SpecMcpItem, SpecMcpPart, SpecMcpServer } from '../../src/api/spec-mcp-server-shapes.ts'
import { isObject, type JsonObject } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import { itemKey } from '../../src/mcp-catalogue/surface.ts'
import { surfaceLists, type SurfaceList } from '../../src/mcp-catalogue/types.ts'
import { Guard } from '../bounds/door.ts'
import type { Deps } from '../kit/door.ts'
import { type EndpointRow, surfaceToCheck } from '../mcp-servers/door.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { Viewer } from './viewer.ts'

interface ListQuery {
  readonly q?: string
  readonly approved?: boolean
  readonly cursor?: string
  readonly limit?: number
}

interface Row {
  readonly row: EndpointRow
  readonly tenant: string
}

const columns = { row: mcpEndpoints, tenant: tenants.slug }
const kinds = { tools: 'tool', resources: 'resource', resourceTemplates: 'template', prompts: 'prompt' } as const
const mostWords = 12

/** The servers of the organizations of a caller; none for anyone else: the catalogue is not public. */
function ownOf({ tenants: own }: Viewer, ...conditions: (SQL | undefined)[]): SQL {
  const mine = or(...own.map((id) => inTenant(mcpEndpoints, id)))
  return own.length === 0 ? sql`false` : (and(mine, ...conditions) ?? sql`false`)
}

const isApproved = ({ approvedFingerprint, observedFingerprint }: EndpointRow): boolean =>
  approvedFingerprint !== null && approvedFingerprint === observedFingerprint

const shown = ({ row, tenant }: Row): SpecMcpServer => ({
  server: row.id,
  tenant,
  name: row.name,
  title: row.title,
  description: row.description,
  transport: row.transport,
  address: row.address,
  state: row.state,
  approved: isApproved(row),
  tools: (row.observedAt === null ? row.declaredCounts : row.observedCounts).tools,
  observed_at: row.observedAt,
})

const wordsOf = (q: string | undefined): string[] =>
  (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((it) => it !== '')
    .slice(0, mostWords)

/**
 * A page of the MCP servers that the organizations of the caller know, by name.
 * @throws SvcError `cursor-invalid`
 */
export async function listSpecMcpServers(deps: Deps, viewer: Viewer, query: ListQuery) {
  const { limit = 50, cursor, approved } = query
  const { read } = deps.db
  const matching = ownOf(
    viewer,
    approved === true
      ? and(
          isNotNull(mcpEndpoints.approvedFingerprint),
          eq(mcpEndpoints.approvedFingerprint, mcpEndpoints.observedFingerprint),
        )
      : undefined,
    ...wordsOf(query.q).map((word) =>
      or(
        contains(mcpEndpoints.name, word),
        contains(mcpEndpoints.title, word),
        contains(mcpEndpoints.description, word),
        contains(mcpEndpoints.address, word),
      ),
    ),
  )
  const place = cursor === undefined ? null : readCursor('mcp-servers', cursor, ['string', 'string'])
  const rest = place === null ? undefined : after([mcpEndpoints.name, place[0]], [mcpEndpoints.id, place[1]])
  const rows: Row[] = await read
    .select(columns)
    .from(mcpEndpoints)
    .innerJoin(tenants, isTenant(mcpEndpoints.tenantId))
    .where(and(matching, rest))
    .orderBy(asc(mcpEndpoints.name), asc(mcpEndpoints.id))
    .limit(limit + 1)
  const counted = await read.$count(mcpEndpoints, matching)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(shown),
    total: counted,
    next_cursor:
      rows.length > limit && last !== undefined ? writeCursor('mcp-servers', [last.row.name, last.row.id]) : null,
  }
}

/** @throws SvcError `mcp-endpoint-not-found` for a server of another organization too */
async function findOwn(deps: Deps, viewer: Viewer, server: string): Promise<Row> {
  const [found] = await deps.db.read
    .select(columns)
    .from(mcpEndpoints)
    .innerJoin(tenants, isTenant(mcpEndpoints.tenantId))
    .where(ownOf(viewer, eq(mcpEndpoints.id, server)))
  if (found === undefined) throw new SvcError('mcp-endpoint-not-found', { endpoint: server })
  return found
}

const textOf = (item: JsonObject, key: string): string => {
  const value = item[key]
  return typeof value === 'string' ? value : ''
}

/** A hint as the protocol has it where a tool leaves it out: not read-only, and destructive. */
function hintsOf(item: JsonObject): Pick<SpecMcpItem, 'read_only' | 'destructive'> {
  const hints = isObject(item.annotations) ? item.annotations : {}
  const readOnly = hints.readOnlyHint === true
  return { read_only: readOnly, destructive: !readOnly && hints.destructiveHint !== false }
}

const itemOf = (list: SurfaceList, item: JsonObject): SpecMcpItem => ({
  kind: kinds[list],
  name: itemKey(list, item),
  description: textOf(item, 'description') || textOf(item, 'title'),
  ...(list === 'tools' ? hintsOf(item) : {}),
})

/**
 * Describes a server, with a page of what it offers: what was observed, else what is declared.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `cursor-invalid`
 */
export async function describeSpecMcpServer(
  deps: Deps,
  viewer: Viewer,
  { server, q, cursor, limit = 50 }: Omit<ListQuery, 'approved'> & { readonly server: string },
) {
  const found = await findOwn(deps, viewer, server)
  const { surface } = await surfaceToCheck(deps, found.row)
  const words = wordsOf(q)
  const all = await new Guard('mcp-items').filter(
    surfaceLists.flatMap((list) => surface[list].map((item) => itemOf(list, item))),
    (it) => (it.name.length + it.description.length) * (words.length + 1),
    (it) => words.every((word) => `${it.name} ${it.description}`.toLowerCase().includes(word)),
  )
  const [from] = cursor === undefined ? [0] : readCursor('mcp-items', cursor, ['number'])
  const end = from + limit
  return {
    about: shown(found),
    items: all.slice(from, end),
    total: all.length,
    next_cursor: end < all.length ? writeCursor('mcp-items', [end]) : null,
  }
}

interface ItemQuery {
  readonly server: string
  readonly kind?: SpecMcpItem['kind']
  readonly name: string
}

/**
 * A tool, resource or prompt of a server as it was sent.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`
 */
export async function specMcpItem(
  deps: Deps,
  viewer: Viewer,
  { server, kind = 'tool', name }: ItemQuery,
): Promise<SpecMcpPart> {
  const { row } = await findOwn(deps, viewer, server)
  const { surface } = await surfaceToCheck(deps, row)
  const list = surfaceLists.find((it) => kinds[it] === kind) ?? 'tools'
  const value = surface[list].findLast((it) => itemKey(list, it) === name)
  if (value === undefined)
    throw new SvcError('mcp-surface-not-found', { name: row.name, surface: `${kind} ${name.slice(0, 100)}` })
  return { server, name, kind, value }
}
