import { asc, eq, or } from 'drizzle-orm'
import type { SpecOperation, SpecPart } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import type { Part } from '../../src/spec/part.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { operations } from '../../db/tables.gen.ts'
import { findSpec, specName, specRecord, type FoundSpec, type ListQuery, type SpecPlace } from './catalogue.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { SpecDocuments } from './documents.ts'
import type { Viewer } from './viewer.ts'

type OperationRow = typeof operations.$inferSelect

/** An operation as the contract shows it. */
export const operationOf = (row: OperationRow): SpecOperation => ({
  ref: row.ref,
  operation_id: row.operationId,
  summary: row.summary,
  tags: [...row.tags],
  deprecated: row.deprecated,
})

/**
 * What a specification is as a whole.
 * @throws SvcError `spec-not-found`
 */
export async function describeSpec(read: Reader, documents: SpecDocuments, viewer: Viewer, place: SpecPlace) {
  const found = await findSpec(read, viewer, place)
  const overview = await documents.overviewOf(found.version)
  const rows = await read
    .select({ tags: operations.tags })
    .from(operations)
    .where(inTenant(operations, found.version.tenantId, eq(operations.versionId, found.version.id)))
  const counts = new Map<string, number>()
  for (const { tags } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const described = new Map(overview.tags.map(({ name, description }) => [name, description]))
  const names = new Set([...described.keys(), ...counts.keys()])
  return {
    ...specRecord(found),
    description: overview.description,
    servers: [...overview.servers],
    security: [...overview.security],
    tags: [...names].map((name) => ({
      name,
      description: described.get(name) ?? null,
      operations: counts.get(name) ?? 0,
    })),
    schema_names: [...overview.schemaNames],
  }
}

/**
 * A page of operations in the order of the document.
 * @throws SvcError `spec-not-found`, `cursor-invalid`
 */
export async function listSpecOperations(
  read: Reader,
  viewer: Viewer,
  place: SpecPlace,
  query: ListQuery & { readonly tag?: string },
) {
  const found = await findSpec(read, viewer, place)
  const { limit = 50, cursor, q, tag } = query
  const from = cursor === undefined ? -1 : readCursor('operations', cursor, ['number'])[0]
  const words = (q ?? '').split(/\s+/).filter((word) => word !== '')
  const rows = await read
    .select()
    .from(operations)
    .where(
      inTenant(
        operations,
        found.version.tenantId,
        eq(operations.versionId, found.version.id),
        ...words.map((word) =>
          or(
            contains(operations.ref, word),
            contains(operations.summary, word),
            contains(operations.operationId, word),
          ),
        ),
      ),
    )
    .orderBy(asc(operations.ordinal))
  // Tags are a list in one column, which the engines search differently: they are looked at here.
  const fitting = tag === undefined ? rows : rows.filter((row) => row.tags.includes(tag))
  const rest = fitting.filter((row) => row.ordinal > from)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(operationOf),
    total: fitting.length,
    next_cursor: rest.length > limit && last ? writeCursor('operations', [last.ordinal]) : null,
  }
}

interface PartQuery {
  readonly operation?: string
  readonly schema?: string
  readonly limit_bytes?: number
}

/**
 * One operation or schema with what it refers to.
 * @throws SvcError `spec-not-found`, `operation-not-found`, `class-not-found`
 */
export async function specPart(
  read: Reader,
  documents: SpecDocuments,
  viewer: Viewer,
  place: SpecPlace,
  { operation, schema, limit_bytes = 200_000 }: PartQuery,
): Promise<SpecPart> {
  if ((operation === undefined) === (schema === undefined))
    throw new SvcError('request-malformed', { reason: 'it must name either an operation or a schema' })
  const found = await findSpec(read, viewer, place)
  const spec = specName(found)
  if (operation !== undefined) {
    const row = await findOperation(read, found, operation)
    const asked = { operation: row?.pointer ?? null, schema: null, limitBytes: limit_bytes }
    const part = row ? await documents.partOf(found.version, asked) : null
    if (!row || !part) throw new SvcError('operation-not-found', { operation, spec })
    return sent(spec, row.ref, part)
  }
  const name = schema ?? ''
  const part = await documents.partOf(found.version, { operation: null, schema: name, limitBytes: limit_bytes })
  if (!part) throw new SvcError('class-not-found', { class_name: name })
  return sent(spec, name, part)
}

const sent = (spec: string, name: string, part: Part): SpecPart => ({
  spec,
  name,
  pointer: part.pointer,
  value: part.value,
  referenced: { ...part.referenced },
  omitted: [...part.omitted],
  total: part.total,
})

async function findOperation(read: Reader, found: FoundSpec, name: string): Promise<OperationRow | undefined> {
  // "get /pets" is taken for "GET /pets": models write methods in either case.
  const ref = name.replace(/^[a-z]+(?= )/i, (method) => method.toUpperCase())
  const rows = await read
    .select()
    .from(operations)
    .where(
      inTenant(
        operations,
        found.version.tenantId,
        eq(operations.versionId, found.version.id),
        or(eq(operations.ref, ref), eq(operations.operationId, name)),
      ),
    )
    .orderBy(asc(operations.ordinal))
    .limit(1)
  return rows[0]
}
