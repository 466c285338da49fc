/**
 * The documentation of a version as one file of parts, each compressed by itself: four bytes with the length of the
 * table (little-endian), the table as JSON, then the parts. It is made once for a content; a server sends its parts as
 * they are.
 */
import type { NamedSchema, OperationEntry, OperationPart, ReaderIndex, SchemaPart, SchemaView } from '../api/reader.ts'
import type { JsonObject } from '../kernel/json.ts'
import { readReference } from '../render/reference/model.ts'
import { safeHtml } from '../render/reference/safe-html.ts'
import { samplerOf } from '../render/reference/sample.ts'
import { listGroups } from './groups.ts'
import { leavesOf } from './leaves.ts'
import { wordParts } from './words.ts'
import { gzip } from '../host/native.ts'

/** So many operations that use a schema are named. */
const mostUses = 100

/** Every description in a value, made harmless. */
const withHtml = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return key === 'description' ? safeHtml(value) : value
  if (Array.isArray(value)) return value.map((it) => withHtml(it))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, withHtml(it, name)]))
}

function* viewsOf(it: OperationEntry): Generator<SchemaView> {
  const media = [...(it.body?.media ?? []), ...it.responses.flatMap((one) => one.media)]
  for (const { view } of [...it.parameters, ...media]) if (view !== null) yield view
}

function* namesIn(view: SchemaView): Generator<string> {
  for (const it of view.type) if (typeof it !== 'string') yield it.schema
  for (const member of view.members) yield* namesIn(member.view)
}

/** For each schema the operations that name it, as indexes. */
function usesOf(operations: readonly OperationEntry[]): Map<string, number[]> {
  const uses = new Map<string, number[]>()
  for (const [index, it] of operations.entries()) {
    const names = new Set([...viewsOf(it)].flatMap((view) => [...namesIn(view)]))
    for (const name of names) {
      const found = uses.get(name) ?? []
      uses.set(name, found)
      if (found.length < mostUses) found.push(index)
    }
  }
  return uses
}

const listed = ({ method, path, summary, operationId, isWebhook, deprecated }: OperationEntry) => ({
  method,
  path,
  summary,
  operationId,
  isWebhook,
  deprecated,
})

function* partsOf(
  root: JsonObject,
  stamp: string,
  more: Readonly<Record<string, unknown>>,
): Generator<readonly [name: string, value: unknown]> {
  yield* Object.entries(more)
  const reference = readReference(root, samplerOf(root))
  const groups = listGroups(reference.groups)
  const operations = groups.flatMap((group) =>
    group.operations.map((it) => ({ group: group.name, entry: withHtml(it) as OperationEntry })),
  )
  const schemas = reference.schemas.map((it) => withHtml(it) as NamedSchema)
  const entries = operations.map(({ entry }) => entry)
  const index: ReaderIndex = {
    stamp,
    title: reference.title,
    version: reference.version,
    summary: reference.summary,
    description: safeHtml(reference.description, { headings: true }),
    servers: withHtml(reference.servers) as ReaderIndex['servers'],
    facts: reference.facts.map(([name, value]) => [name, safeHtml(value)]),
    security: withHtml(reference.security) as ReaderIndex['security'],
    operations: entries.map(listed),
    groups: groups.map(({ name, description, operations: { length } }) => ({
      name,
      description: safeHtml(description, { headings: true }),
      count: length,
    })),
    schemas: schemas.map(({ name }) => name),
  }
  yield ['index', index]
  const complete = leavesOf(schemas)
  for (const [at, operation] of entries.entries())
    yield [`operation-${at}`, { stamp, operation: complete(operation) } satisfies OperationPart]
  const uses = usesOf(entries)
  for (const [at, schema] of schemas.entries())
    yield [
      `schema-${at}`,
      { stamp, schema: complete(schema), usedBy: uses.get(schema.name) ?? [] } satisfies SchemaPart,
    ]
  yield* wordParts(operations, schemas)
}

/** The table of a pack: where each part is, counted from the end of the table. */
export type PackTable = Readonly<Record<string, readonly [offset: number, length: number]>>

/**
 * The parts of a document's documentation.
 * @param root a self-contained document of OpenAPI 3.1 or 3.2
 * @param stamp says which content it was, in each part
 * @param more parts beside them
 */
export function packReader(
  root: JsonObject,
  stamp: string,
  more: Readonly<Record<string, unknown>> = {},
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const table: Record<string, [number, number]> = {}
  const parts: Uint8Array[] = []
  let offset = 0
  for (const [name, value] of partsOf(root, stamp, more)) {
    const bytes = gzip(encoder.encode(JSON.stringify(value)))
    table[name] = [offset, bytes.length]
    parts.push(bytes)
    offset += bytes.length
  }
  const head = encoder.encode(JSON.stringify(table))
  const pack = new Uint8Array(4 + head.length + offset)
  new DataView(pack.buffer).setUint32(0, head.length, true)
  pack.set(head, 4)
  for (const [at, name] of Object.keys(table).entries())
    pack.set(parts[at] ?? new Uint8Array(), 4 + head.length + (table[name]?.[0] ?? 0))
  return pack
}
