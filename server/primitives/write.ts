import { eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { numberTypes, touchRegistry } from '../../db/primitives/search-ids.ts'
import { newId } from '../../db/id.ts'
import { primitiveEdges, primitiveRevisions, primitives } from '../../db/tables.gen.ts'
import type { Edge } from '../../src/types/edges.ts'
import { foldParts } from '../../src/types/fold.ts'
import { refOf } from '../../src/kernel/type-ref.ts'
import { inParts, type PrimitiveRow } from '../used-types/door.ts'

/** What is written of a type, new or changed. */
export interface Written {
  readonly namespace: string
  readonly name: string
  readonly visibility: 'private' | 'public'
  readonly category: string | null
  readonly description: string
  readonly tags: readonly string[]
  readonly schemaId: string | null
  readonly draft: string
  /** JSON text. */
  readonly schema: string
  readonly digest: string
  readonly edges: readonly Edge[]
}

/** Who writes, when, and by which import. */
export interface WrittenBy {
  readonly tenantId: string
  readonly actor: string | null
  readonly at: string
  readonly importId: string | null
}

const rowsPerStatement = 100

const foldedOf = (it: Written): string =>
  foldParts([it.name, it.namespace, refOf(it), it.description, ...it.tags, it.schemaId])

/** What the row of a type keeps of it. */
const columnsOf = (written: Written) => ({
  namespace: written.namespace,
  name: written.name,
  visibility: written.visibility,
  category: written.category,
  description: written.description,
  tags: written.tags,
  schemaId: written.schemaId,
  draft: written.draft,
  schema: written.schema,
  digest: written.digest,
})

/** Two writers of one tenant never write at once: what one of them has read stays true until its end. */
export async function lockRegistry(tx: Transaction, tenantId: string): Promise<void> {
  await tx.lock(`primitives ${tenantId}`)
  await touchRegistry(tx, tenantId)
}

const revisionOf = (row: PrimitiveRow, by: WrittenBy) => ({
  id: newId(),
  tenantId: row.tenantId,
  primitiveId: row.id,
  revision: row.revision,
  description: row.description,
  schemaId: row.schemaId,
  draft: row.draft,
  schema: row.schema,
  digest: row.digest,
  createdBy: by.actor,
  createdAt: by.at,
})

async function writeEdges(tx: Transaction, tenantId: string, list: readonly (readonly [id: string, it: Written])[]) {
  for (const part of inParts(list.map(([id]) => id)))
    await tx
      .delete(primitiveEdges)
      .where(inTenant(primitiveEdges, tenantId, inArray(primitiveEdges.primitiveId, [...part])))
  const rows = list.flatMap(([primitiveId, { edges }]) =>
    edges.map((edge, position) => ({ ...edge, tenantId, primitiveId, position })),
  )
  for (const part of inParts(rows, rowsPerStatement)) await tx.insert(primitiveEdges).values([...part])
}

/** Writes new types, each with its first revision. The caller holds the lock of the registry. */
export async function insertPrimitives(
  tx: Transaction,
  list: readonly Written[],
  by: WrittenBy,
): Promise<readonly PrimitiveRow[]> {
  if (list.length === 0) return []
  const scope = by.importId === null ? 'custom' : 'tenant'
  const first = await numberTypes(tx, by.tenantId, { scope, types: list.length })
  const rows = list.map((entry, index): PrimitiveRow => ({
    ...columnsOf(entry),
    id: newId(),
    tenantId: by.tenantId,
    ref: refOf(entry),
    scope,
    revision: 1,
    deprecated: null,
    importId: by.importId,
    folded: foldedOf(entry),
    searchId: first + index,
    createdBy: by.actor,
    createdAt: by.at,
    updatedAt: by.at,
  }))
  for (const part of inParts(rows, rowsPerStatement)) await tx.insert(primitives).values([...part])
  for (const part of inParts(rows, rowsPerStatement))
    await tx.insert(primitiveRevisions).values(part.map((row) => revisionOf(row, by)))
  await writeEdges(
    tx,
    by.tenantId,
    rows.map((row, index) => [row.id, list[index] as Written]),
  )
  return rows
}

/**
 * Changes a type; a schema with another digest is a new revision. The caller holds the lock of the registry and has read
 * the row behind it.
 */
export async function changePrimitive(
  tx: Transaction,
  row: PrimitiveRow,
  written: Written,
  by: WrittenBy,
): Promise<PrimitiveRow> {
  const isNew = written.digest !== row.digest || written.schema !== row.schema
  const set = {
    ...columnsOf(written),
    ref: refOf(written),
    folded: foldedOf(written),
    revision: row.revision + (isNew ? 1 : 0),
    ...(by.importId === null ? {} : { importId: by.importId }),
    updatedAt: by.at,
  }
  const [changed] = await tx
    .update(primitives)
    .set(set)
    .where(inTenant(primitives, by.tenantId, eq(primitives.id, row.id)))
    .returning()
  if (!changed) throw new Error(`the type ${row.ref} was not written`)
  if (isNew) {
    await tx.insert(primitiveRevisions).values(revisionOf(changed, by))
    await writeEdges(tx, by.tenantId, [[row.id, written]])
  }
  return changed
}
