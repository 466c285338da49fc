import { and, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { primitiveEdges, primitives, projects, versions, versionTypes } from '../../db/tables.gen.ts'
import type { PrimitiveRecord } from '../../src/api/primitive-shapes.ts'
import { builtinByKey } from '../../src/types/builtin/builtin.ts'

export type Refs = PrimitiveRecord['refs']

/** A type as references find it. */
export interface Target {
  readonly id: string
  readonly ref: string
  readonly revision: number
}

/** An edge as it is stored. */
export interface StoredEdge {
  readonly pointer: string
  readonly target: string
  readonly key: string | null
  readonly revision: number | null
}

// Both engines take many more parameters; statements of this size are planned quickly.
const keysAtOnce = 500

/** Parts of a list that one statement takes. */
export function* inParts<T>(list: readonly T[], size = keysAtOnce): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

/**
 * The types that references or `$id`s name, of the tenant before those that come with svc.
 * @param keys as edges keep them (src/types/edges.ts)
 */
export async function findTargets(
  read: Reader,
  tenantId: string,
  keys: Iterable<string>,
): Promise<Map<string, Target>> {
  const wanted = [...new Set(keys)]
  const found = new Map<string, Target>()
  const { id, ref, schemaId, revision } = primitives
  for (const part of inParts(wanted)) {
    // One question for each index: "or" would read every type of the tenant.
    const named = (column: typeof ref | typeof schemaId) =>
      read
        .select({ id, ref, schemaId, revision })
        .from(primitives)
        .where(inTenant(primitives, tenantId, inArray(column, [...part])))
    // A reference goes before an `$id`, which several types may share.
    for (const row of (await named(schemaId)).toSorted((a, b) => (a.ref < b.ref ? -1 : 1)))
      if (row.schemaId !== null && !found.has(row.schemaId)) found.set(row.schemaId, row)
    for (const row of await named(ref)) found.set(row.ref, row)
  }
  for (const key of wanted) {
    const builtin = found.has(key) ? undefined : builtinByKey(key)
    if (builtin !== undefined) found.set(key, { id: builtin.ref, ref: builtin.ref, revision: 1 })
  }
  return found
}

/** Edges as answers show them. */
export const resolveEdges = (edges: readonly StoredEdge[], targets: ReadonlyMap<string, Target>): Refs =>
  edges.map(({ pointer, target, key, revision }) => {
    const found = key === null ? undefined : targets.get(key)
    const isThere = found !== undefined && (revision === null || revision <= found.revision)
    return { pointer, target, resolved: isThere, primitive_id: isThere ? found.id : null, revision }
  })

/** The edges of types, by the id of the type, in the order of its schema. */
export async function readEdges(
  read: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, StoredEdge[]>> {
  const found = new Map<string, StoredEdge[]>()
  for (const part of inParts(ids)) {
    const rows = await read
      .select()
      .from(primitiveEdges)
      .where(inTenant(primitiveEdges, tenantId, inArray(primitiveEdges.primitiveId, [...part])))
      .orderBy(primitiveEdges.primitiveId, primitiveEdges.position)
    for (const row of rows) {
      const list = found.get(row.primitiveId) ?? []
      list.push(row)
      found.set(row.primitiveId, list)
    }
  }
  return found
}

const keysOf = (edges: Iterable<readonly StoredEdge[]>): string[] =>
  [...edges].flatMap((list) => list.flatMap(({ key }) => key ?? []))

/** The references of types as answers show them, by the id of the type. */
export async function refsOf(read: Reader, tenantId: string, ids: readonly string[]): Promise<Map<string, Refs>> {
  const edges = await readEdges(read, tenantId, ids)
  const targets = await findTargets(read, tenantId, keysOf(edges.values()))
  return new Map([...edges].map(([id, list]) => [id, resolveEdges(list, targets)]))
}

/** A type that refers to others. */
interface TypeUser {
  readonly id: string
  readonly ref: string
  readonly schemaId: string | null
  /** The places of the references in its schema. */
  readonly pointers: string[]
  /** Those of the keys that were asked for that it refers to. */
  readonly keys: Set<string>
}

/** The types that refer to one of the keys. */
export async function findUsers(read: Reader, tenantId: string, keys: readonly string[]): Promise<TypeUser[]> {
  const users = new Map<string, TypeUser>()
  const { id, ref, schemaId } = primitives
  for (const part of inParts(keys)) {
    const rows = await read
      .select({ id, ref, schemaId, pointer: primitiveEdges.pointer, key: primitiveEdges.key })
      .from(primitiveEdges)
      .innerJoin(primitives, and(eq(primitives.id, primitiveEdges.primitiveId), inTenant(primitives, tenantId)))
      .where(inTenant(primitiveEdges, tenantId, inArray(primitiveEdges.key, [...part])))
      .orderBy(ref, primitiveEdges.position)
    for (const row of rows) {
      const user = users.get(row.id) ?? {
        id: row.id,
        ref: row.ref,
        schemaId: row.schemaId,
        pointers: [],
        keys: new Set(),
      }
      user.pointers.push(row.pointer)
      if (row.key !== null) user.keys.add(row.key)
      users.set(row.id, user)
    }
  }
  return [...users.values()]
}

/** The published versions that use a type, as people name them. */
export async function publishedUsers(
  read: Reader,
  tenantId: string,
  primitiveId: string,
): Promise<{ id: string; ref: string; revision: number; project: string; version: string }[]> {
  const rows = await read
    .selectDistinct({
      id: versions.id,
      project: projects.slug,
      version: versions.label,
      revision: versionTypes.revision,
    })
    .from(versionTypes)
    .innerJoin(versions, and(eq(versions.id, versionTypes.versionId), inTenant(versions, tenantId)))
    .innerJoin(projects, and(eq(projects.id, versions.projectId), inTenant(projects, tenantId)))
    .where(inTenant(versionTypes, tenantId, eq(versionTypes.primitiveId, primitiveId)))
    .orderBy(projects.slug, versions.label)
  return rows.map((row) => ({ ...row, ref: `${row.project}@${row.version}` }))
}
