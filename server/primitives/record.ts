import type { Json } from '../../src/kernel/json.ts'
import type { PrimitiveRecord } from '../../src/api/primitive-shapes.ts'
import type { BuiltinType } from '../../src/types/builtin/builtin.ts'
import type { PrimitiveRow, Refs } from '../used-types/door.ts'

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
export const builtinRecord = (builtinType: BuiltinType, refs: Refs): PrimitiveRecord => ({
  id: builtinType.ref,
  namespace: builtinType.namespace,
  name: builtinType.name,
  ref: builtinType.ref,
  scope: builtinType.scope,
  visibility: 'public',
  category: builtinType.category,
  description: builtinType.description,
  tags: [...builtinType.tags],
  schema_id: builtinType.schemaId,
  draft: '2020-12',
  schema: builtinType.schema,
  refs: [...refs],
  revision: 1,
  digest: builtinType.digest,
  deprecated: null,
  import_id: null,
  created_by: null,
  created_at: null,
  updated_at: null,
})
