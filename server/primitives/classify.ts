import type { Reader } from '../../db/database.ts'
import { builtinByKey } from '../../src/types/builtin/builtin.ts'
import type { TypeChange } from '../../src/types/compare.ts'
import { referenceDepth } from '../../src/types/limits.ts'
import { refOf } from '../../src/kernel/type-ref.ts'
import type { ReadType } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { basesOf, findTargets, type PrimitiveRow, readEdges, rowsByRef } from '../used-types/door.ts'

/** A type of an import beside the registered one of the same name. */
export interface Classified {
  readonly type: ReadType
  readonly classification: 'New' | 'Identical' | 'Conflict'
  readonly existing: PrimitiveRow | null
  readonly change: TypeChange | null
}

/** How many registered types a comparison reads at most for references. */
const mostReferenced = 2000

/** The schemas of registered types that keys reach, directly or through others. */
export async function closureOf(
  read: Reader,
  tenantId: string,
  start: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  let keys = [...new Set(start)]
  for (
    let depth = 0;
    depth < referenceDepth && keys.length > 0 && Object.keys(found).length < mostReferenced;
    depth++
  ) {
    const targets = await findTargets(read, tenantId, keys)
    const rows = await rowsByRef(
      read,
      tenantId,
      [...targets.values()].map(({ ref }) => ref),
    )
    const edges = await readEdges(
      read,
      tenantId,
      [...rows.values()].map(({ id }) => id),
    )
    const next = new Set<string>()
    for (const [key, target] of targets) {
      const row = rows.get(target.ref)
      const builtin = row === undefined ? builtinByKey(target.ref) : undefined
      const schema = row?.schema ?? (builtin === undefined ? undefined : JSON.stringify(builtin.schema))
      if (schema === undefined) continue
      found[key] = schema
      for (const edge of row === undefined ? (builtin?.keys ?? []) : (edges.get(row.id) ?? []))
        if (edge.key !== null && found[edge.key] === undefined) next.add(edge.key)
    }
    keys = [...next]
  }
  return found
}

const keysOf = (types: readonly ReadType[]): string[] =>
  types.flatMap(({ edges }) => edges.flatMap(({ key }) => key ?? []))

/** Compares the types of an import with the registered ones: new, identical or in conflict. */
export async function classify(deps: Deps, grant: Grant, types: readonly ReadType[]): Promise<Classified[]> {
  const tenantId = tenantOf(grant).id
  const { read } = deps.db
  const rows = await rowsByRef(read, tenantId, types.map(refOf))
  const differing = types.filter((it) => {
    const row = rows.get(refOf(it))
    return row !== undefined && row.digest !== it.digest
  })
  const changes = new Map<string, TypeChange | null>()
  if (differing.length > 0) {
    const known = differing.flatMap((it) => rows.get(refOf(it)) ?? [])
    const edges = await readEdges(
      read,
      tenantId,
      known.map(({ id }) => id),
    )
    const start = [...keysOf(differing), ...[...edges.values()].flat().flatMap(({ key }) => key ?? [])]
    const before = await closureOf(read, tenantId, start)
    const after = { ...before, ...Object.fromEntries(types.map((it) => [refOf(it), it.schema])) }
    const pairs = differing.map((it) => ({ key: it.key, before: rows.get(refOf(it))?.schema ?? '', after: it.schema }))
    const answers = await deps.analysis.run(tenantId, 'type-changes', {
      pairs,
      before,
      after,
      bases: basesOf(deps, grant),
    })
    for (const { key, change } of answers) changes.set(key, change)
  }
  return types.map((type) => {
    const existing = rows.get(refOf(type)) ?? null
    const change = changes.get(type.key) ?? null
    const known = change === null ? 'Identical' : 'Conflict'
    const classification = existing === null ? 'New' : known
    return { type, classification, existing, change }
  })
}

/** The references of an import that neither it nor the registry resolves, by the key of the type. */
export async function unresolvedOf(
  deps: Deps,
  grant: Grant,
  types: readonly ReadType[],
): Promise<Map<string, { pointer: string; target: string }[]>> {
  const own = new Set(types.flatMap((it) => [refOf(it), it.schemaId ?? refOf(it)]))
  const outside = keysOf(types).filter((key) => !own.has(key))
  const targets = await findTargets(deps.db.read, tenantOf(grant).id, outside)
  return new Map(
    types.map(({ key, edges }) => [
      key,
      edges
        .filter((edge) => edge.key === null || (!own.has(edge.key) && !targets.has(edge.key)))
        .map(({ pointer, target }) => ({ pointer, target })),
    ]),
  )
}
