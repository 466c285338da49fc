import { desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { touchRegistry } from '../../db/primitives/search-ids.ts'
import { primitiveRevisions, primitives } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { PrimitiveRecord } from '../../src/api/primitive-shapes.ts'
import type { Json } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import { builtinByKey, type BuiltinType } from '../../src/types/builtin/builtin.ts'
import { nameProblem, namespaceProblem, refOf, trimNamespace } from '../../src/kernel/type-ref.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { removeFirst } from '../deletion/door.ts'
import type { Deps } from '../kit/door.ts'
import { followTypes } from '../embeddings/door.ts'
import { isMatched } from '../http/door.ts'
import {
  basesOf,
  findTargets,
  findUsers,
  type PrimitiveRow,
  publishedUsers,
  refsOf,
  resolveEdges,
} from '../used-types/door.ts'
import { builtinRecord, toRecord } from './record.ts'
import { changePrimitive, insertPrimitives, lockRegistry, type Written } from './write.ts'

/** The largest schema, in bytes of JSON. */
export const schemaLimit = 256 * 1024

/** How many users of a type a refusal names. */
const mostUsersNamed = 20

export type SchemaValue = Readonly<Record<string, unknown>> | boolean

/** What a type may be described with. */
interface Details {
  readonly visibility?: 'private' | 'public'
  readonly description?: string | null
  readonly category?: string | null
  readonly tags?: readonly string[]
}

interface Creation extends Details {
  readonly namespace: string
  readonly name: string
  readonly schema: SchemaValue
  readonly schema_id?: string | null
  readonly replace?: boolean
}

/**
 * A namespace as it is kept.
 * @throws SvcError `namespace-invalid`
 */
export function namespaceOf(text: string): string {
  const namespace = trimNamespace(text)
  const reason = namespaceProblem(namespace)
  if (reason !== null) throw new SvcError('namespace-invalid', { namespace, reason })
  return namespace
}

/** @throws SvcError `primitive-name-invalid` */
export function assertName(name: string): void {
  const reason = nameProblem(name)
  if (reason !== null) throw new SvcError('primitive-name-invalid', { name, reason })
}

/**
 * Reads a schema in an analysis.
 * @throws SvcError `primitive-too-large`, `primitive-schema-invalid`, `analysis-stopped`
 */
export async function readSchema(deps: Deps, grant: Grant, ref: string, schema: SchemaValue) {
  const text = JSON.stringify(schema)
  if (Buffer.byteLength(text) > schemaLimit)
    throw new SvcError('primitive-too-large', { primitive: ref, limit: schemaLimit })
  const read = await deps.analysis.run(tenantOf(grant).id, 'type', { text, bases: basesOf(deps, grant) })
  const [first] = read.errors
  if (first === undefined) return read
  const where = first.pointer === '' ? '' : `${first.pointer}: `
  // A full stop follows the reason.
  const reason = `${where}${first.message.replace(/\.$/, '').replace(/; (did you mean .*\?)$/, ' ($1)')}`
  throw new SvcError('primitive-schema-invalid', { primitive: ref, reason, errors: read.errors })
}

const showRow = async (read: Reader, row: PrimitiveRow): Promise<PrimitiveRecord> =>
  toRecord(row, (await refsOf(read, row.tenantId, [row.id])).get(row.id) ?? [])

async function showBuiltin(read: Reader, tenantId: string, builtinType: BuiltinType): Promise<PrimitiveRecord> {
  const targets = await findTargets(
    read,
    tenantId,
    builtinType.keys.flatMap(({ key }) => key ?? []),
  )
  return builtinRecord(
    builtinType,
    resolveEdges(
      builtinType.keys.map((key) => ({ ...key, revision: null })),
      targets,
    ),
  )
}

/**
 * Finds a type of the tenant, or one that comes with svc.
 * @throws SvcError `primitive-not-found`
 */
export async function findPrimitive(read: Reader, tenantId: string, id: string): Promise<PrimitiveRow | BuiltinType> {
  const [row] = await read
    .select()
    .from(primitives)
    .where(inTenant(primitives, tenantId, eq(primitives.id, id)))
    .limit(1)
  const found = row ?? (id.startsWith('svc:') ? builtinByKey(id) : undefined)
  if (found === undefined) throw new SvcError('primitive-not-found', { primitive: id })
  return found
}

/** Whether a type is a row of the tenant, not one that comes with svc. */
export const isRow = (it: PrimitiveRow | BuiltinType): it is PrimitiveRow => 'tenantId' in it

/**
 * Finds a type that can be changed.
 * @throws SvcError `primitive-not-found`, `primitive-read-only`
 */
async function findOwn(read: Reader, tenantId: string, id: string): Promise<PrimitiveRow> {
  const found = await findPrimitive(read, tenantId, id)
  if (!isRow(found)) throw new SvcError('primitive-read-only', { primitive: found.ref })
  return found
}

const etagOf = (record: PrimitiveRecord): string => `"${record.revision}-${Date.parse(record.updated_at ?? '') || 0}"`

const by = (deps: Deps, grant: Grant) => ({
  tenantId: tenantOf(grant).id,
  actor: actorOf(grant),
  at: deps.clock.iso(),
  importId: null,
})

const auditOf = (grant: Grant, action: AuditAction, row: PrimitiveRow, at: string) => ({
  tenantId: row.tenantId,
  actor: grant.principal,
  action,
  targetId: row.id,
  detail: { ref: row.ref, revision: row.revision },
  at,
})

/**
 * Creates a type; with `replace` an existing one gets a revision.
 * @throws SvcError `namespace-invalid`, `primitive-name-invalid`, `primitive-schema-invalid`, `primitive-too-large`, `primitive-exists`
 */
export async function createPrimitive(deps: Deps, grant: Grant, input: Creation): Promise<PrimitiveRecord> {
  const tenantId = tenantOf(grant).id
  const namespace = namespaceOf(input.namespace)
  const { name } = input
  assertName(name)
  const ref = refOf({ namespace, name })
  const read = await readSchema(deps, grant, ref, input.schema)
  const own = typeof input.schema === 'boolean' ? null : input.schema['description']
  const written: Written = {
    namespace,
    name,
    visibility: input.visibility ?? 'private',
    category: input.category ?? null,
    description: input.description ?? (typeof own === 'string' ? own : ''),
    tags: input.tags ?? [],
    schemaId: read.schemaId ?? input.schema_id ?? null,
    draft: read.draft,
    schema: read.schema,
    digest: read.digest,
    edges: read.edges,
  }
  return deps.db.inTransaction(async (tx) => {
    const writer = by(deps, grant)
    await lockRegistry(tx, tenantId)
    const [known] = await tx
      .select()
      .from(primitives)
      .where(inTenant(primitives, tenantId, eq(primitives.ref, ref)))
      .limit(1)
    if (known && input.replace !== true)
      throw new SvcError('primitive-exists', { primitive: ref, primitive_id: known.id })
    const row = known
      ? await changePrimitive(tx, known, written, writer)
      : (await insertPrimitives(tx, [written], writer))[0]
    if (!row) throw new Error(`the type ${ref} was not written`)
    await followTypes(deps, tx, tenantId)
    await recordAudit(tx, auditOf(grant, known ? 'primitive.updated' : 'primitive.created', row, writer.at))
    return showRow(tx, row)
  })
}

/**
 * A type with its ETag.
 * @throws SvcError `primitive-not-found`
 */
export async function getPrimitive(deps: Deps, grant: Grant, id: string) {
  const tenantId = tenantOf(grant).id
  const found = await findPrimitive(deps.db.read, tenantId, id)
  const record = isRow(found) ? await showRow(deps.db.read, found) : await showBuiltin(deps.db.read, tenantId, found)
  return { record, etag: etagOf(record) }
}

/**
 * Changes a type.
 * @throws SvcError `primitive-not-found`, `primitive-read-only`, `primitive-changed`, `primitive-schema-invalid`, `primitive-too-large`
 */
export async function updatePrimitive(
  deps: Deps,
  grant: Grant,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | null },
  patch: Details & { readonly schema?: SchemaValue },
) {
  const tenantId = tenantOf(grant).id
  const { ref, schema } = await findOwn(deps.db.read, tenantId, id)
  const read = await readSchema(deps, grant, ref, patch.schema ?? (JSON.parse(schema) as SchemaValue))
  return deps.db.inTransaction(async (tx) => {
    const writer = by(deps, grant)
    await lockRegistry(tx, tenantId)
    const row = await findOwn(tx, tenantId, id)
    const stale = ifMatch !== null && !isMatched(ifMatch, etagOf(toRecord(row, [])))
    if (stale) throw new SvcError('primitive-changed', { primitive: row.ref, revision: row.revision })
    const { namespace, name } = row
    const kept = patch.schema === undefined ? row : read
    const changed = await changePrimitive(
      tx,
      row,
      {
        namespace,
        name,
        visibility: patch.visibility ?? row.visibility,
        category: patch.category === undefined ? row.category : patch.category,
        description: patch.description === undefined ? row.description : (patch.description ?? ''),
        tags: patch.tags ?? row.tags,
        schemaId: patch.schema === undefined ? row.schemaId : (read.schemaId ?? row.schemaId),
        draft: kept.draft,
        schema: kept.schema,
        digest: kept.digest,
        edges: read.edges,
      },
      writer,
    )
    await followTypes(deps, tx, tenantId)
    await recordAudit(tx, auditOf(grant, 'primitive.updated', changed, writer.at))
    const record = await showRow(tx, changed)
    return { record, etag: etagOf(record) }
  })
}

const keysOf = (row: Pick<PrimitiveRow, 'ref' | 'schemaId'>): string[] =>
  row.schemaId === null ? [row.ref] : [row.ref, row.schemaId]

/**
 * Deletes a type that no other type refers to; it can be restored from the bin.
 * @throws SvcError `primitive-not-found`, `primitive-read-only`, `primitive-in-use`
 */
export async function deletePrimitive(deps: Deps, grant: Grant, id: string): Promise<void> {
  const tenantId = tenantOf(grant).id
  await deps.db.inTransaction(async (tx) => {
    await lockRegistry(tx, tenantId)
    const row = await findOwn(tx, tenantId, id)
    const types = (await findUsers(tx, tenantId, keysOf(row))).filter((it) => it.id !== row.id)
    const users = [...types, ...(await publishedUsers(tx, tenantId, row.id))]
    if (users.length > 0) {
      const named = users.slice(0, mostUsersNamed).map(({ ref }) => ref)
      const more = users.length > named.length ? users.length - named.length : null
      throw new SvcError('primitive-in-use', { primitive: row.ref, users: named, more, count: users.length })
    }
    await putInBin(deps, grant, tx, { kind: 'type', id: row.id, name: row.name, ref: row.ref })
    await removeFirst(deps, tx, { kind: 'type', tenantId, id: row.id })
    await touchRegistry(tx, tenantId, { scope: row.scope, types: -1 })
    await recordAudit(tx, auditOf(grant, 'primitive.deleted', row, deps.clock.iso()))
  })
}

/**
 * Marks a type as deprecated; it can be used as before. Without a message the mark is taken back.
 * @throws SvcError `primitive-not-found`, `primitive-read-only`
 */
export async function deprecatePrimitive(
  deps: Deps,
  grant: Grant,
  id: string,
  { message, replacement }: { readonly message: string | null; readonly replacement?: string | null },
): Promise<PrimitiveRecord> {
  const tenantId = tenantOf(grant).id
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const row = await findOwn(tx, tenantId, id)
    const [changed] = await tx
      .update(primitives)
      .set({ deprecated: message === null ? null : { message, replacement: replacement ?? null }, updatedAt: at })
      .where(inTenant(primitives, tenantId, eq(primitives.id, row.id)))
      .returning()
    if (!changed) throw new SvcError('primitive-not-found', { primitive: id })
    await followTypes(deps, tx, tenantId)
    await recordAudit(tx, auditOf(grant, 'primitive.deprecated', changed, at))
    return showRow(tx, changed)
  })
}

const revisionHead = {
  revision: primitiveRevisions.revision,
  description: primitiveRevisions.description,
  schema_id: primitiveRevisions.schemaId,
  draft: primitiveRevisions.draft,
  digest: primitiveRevisions.digest,
  created_by: primitiveRevisions.createdBy,
  created_at: primitiveRevisions.createdAt,
}

/**
 * The revisions of a type, newest first. A type that comes with svc has none that are kept.
 * @throws SvcError `primitive-not-found`
 */
export async function listRevisions(deps: Deps, grant: Grant, id: string, limit: number) {
  const tenantId = tenantOf(grant).id
  const { read } = deps.db
  const found = await findPrimitive(read, tenantId, id)
  if (!isRow(found)) return { revisions: [], count: 0, total: 0 }
  const where = inTenant(primitiveRevisions, tenantId, eq(primitiveRevisions.primitiveId, found.id))
  const rows = await read
    .select(revisionHead)
    .from(primitiveRevisions)
    .where(where)
    .orderBy(desc(primitiveRevisions.revision))
    .limit(limit)
  const total = await read.$count(primitiveRevisions, where)
  return { revisions: rows, count: rows.length, total }
}

/**
 * One revision of a type with its schema.
 * @throws SvcError `primitive-not-found`, `primitive-revision-not-found`
 */
export async function getRevision(deps: Deps, grant: Grant, id: string, revision: number) {
  const tenantId = tenantOf(grant).id
  const { ref } = await findPrimitive(deps.db.read, tenantId, id)
  const [row] = await deps.db.read
    .select({ ...revisionHead, schema: primitiveRevisions.schema })
    .from(primitiveRevisions)
    .where(
      inTenant(
        primitiveRevisions,
        tenantId,
        eq(primitiveRevisions.primitiveId, id),
        eq(primitiveRevisions.revision, revision),
      ),
    )
    .limit(1)
  if (!row) throw new SvcError('primitive-revision-not-found', { primitive: ref, revision })
  return { ...row, schema: JSON.parse(row.schema) as Json }
}

/** A type by what a reference finds it by. */
export async function findByKey(
  read: Reader,
  tenantId: string,
  key: string,
): Promise<PrimitiveRow | BuiltinType | undefined> {
  const target = (await findTargets(read, tenantId, [key])).get(key)
  return target === undefined ? undefined : findPrimitive(read, tenantId, target.id)
}

/** A type that a reference named, with the schema of a revision; the newest one for null. */
export async function showRevision(deps: Deps, grant: Grant, row: PrimitiveRow | BuiltinType, revision: number | null) {
  const { read } = deps.db
  if (!isRow(row)) {
    if (revision !== null && revision !== 1)
      throw new SvcError('primitive-revision-not-found', { primitive: row.ref, revision })
    return { primitive: await showBuiltin(read, tenantOf(grant).id, row), revision: 1, schema: row.schema as Json }
  }
  const primitive = await showRow(read, row)
  if (revision === null || revision === row.revision)
    return { primitive, revision: row.revision, schema: JSON.parse(row.schema) as Json }
  return { primitive, revision, schema: (await getRevision(deps, grant, row.id, revision)).schema }
}

/** Where else a type is referred to from: what a walk over users begins with. */
export async function usageKeys(deps: Deps, grant: Grant, id: string): Promise<{ id: string; keys: string[] }> {
  const found = await findPrimitive(deps.db.read, tenantOf(grant).id, id)
  return { id: isRow(found) ? found.id : found.ref, keys: keysOf(found) }
}
