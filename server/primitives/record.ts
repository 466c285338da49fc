import type { Json } from '../../src/document/json.ts'
import type { PrimitiveRecord } from '../../src/api/primitive-shapes.ts'
import type { primitives } from '../../db/tables.gen.ts'
import type { BuiltinType } from '../../src/types/builtin/builtin.ts'
import type { Refs } from './references.ts'

export type PrimitiveRow = typeof primitives.$inferSelect

/** A row as answers show it. */
export const toRecord = (row: PrimitiveRow, refs: Refs): PrimitiveRecord => ({
  id: row.id,
  namespace: row.namespace,
  name: row.name,
  ref: row.ref,
  scope: row.scope,
  visibility: row.visibility,
  category: row.category,
  description: row.description,
  tags: [...row.tags],
  schema_id: row.schemaId,
  draft: row.draft,
  schema: JSON.parse(row.schema) as Json,
  refs: [...refs],
  revision: row.revision,
  digest: row.digest,
  deprecated: row.deprecated === null ? null : { ...row.deprecated },
  import_id: row.importId,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

/** A type that comes with svc as answers show it: it has no rows, no revisions and no author. */
export const builtinRecord = (it: BuiltinType, refs: Refs): PrimitiveRecord => ({
  id: it.ref,
  namespace: it.namespace,
  name: it.name,
  ref: it.ref,
  scope: it.scope,
  visibility: 'public',
  category: it.category,
  description: it.description,
  tags: [...it.tags],
  schema_id: it.schemaId,
  draft: '2020-12',
  schema: it.schema,
  refs: [...refs],
  revision: 1,
  digest: it.digest,
  deprecated: null,
  import_id: null,
  created_by: null,
  created_at: null,
  updated_at: null,
})
