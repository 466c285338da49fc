import { writtenChanges } from '../../src/diff/written.ts'
import type { Json } from '../../src/kernel/json.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { closureOf } from './classify.ts'
import { basesOf } from '../used-types/door.ts'
import { getPrimitive, getRevision, readSchema, type SchemaValue } from './service.ts'

interface Side {
  /** Null for a schema that is not registered. */
  readonly revision: number | null
  readonly schema: Json
}

/**
 * Compares two revisions of a type, or a revision with a schema that is not registered. The types that both refer to are those
 * of now. Nothing is written.
 * @throws SvcError `primitive-not-found`, `primitive-revision-not-found`, `primitive-schema-invalid`, `primitive-too-large`,
 *   `analysis-stopped`
 */
export async function compareRevisions(
  deps: Deps,
  grant: Grant,
  id: string,
  { base, head, schema }: { readonly base?: number; readonly head?: number; readonly schema?: SchemaValue },
) {
  const { record } = await getPrimitive(deps, grant, id)
  const sideOf = async (revision: number = record.revision): Promise<Side> =>
    revision === record.revision
      ? { revision, schema: record.schema as Json }
      : { revision, schema: (await getRevision(deps, grant, id, revision)).schema }
  const before = await sideOf(base)
  const after: Side = schema === undefined ? await sideOf(head) : { revision: null, schema: schema as Json }
  const [older, newer] = [
    await readSchema(deps, grant, record.ref, before.schema as SchemaValue),
    await readSchema(deps, grant, record.ref, after.schema as SchemaValue),
  ]
  const tenantId = tenantOf(grant).id
  const keys = [...older.edges, ...newer.edges].flatMap(({ key }) => key ?? [])
  const compared = await deps.analysis.run(tenantId, 'type-comparison', {
    before: older.schema,
    after: newer.schema,
    registry: await closureOf(deps.db.read, tenantId, keys),
    bases: basesOf(deps, grant),
  })
  return {
    base: before,
    head: after,
    ...compared,
    changes: writtenChanges(compared.changes),
    counts: { ...compared.counts },
  }
}
