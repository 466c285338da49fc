import { desc, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { primitives } from '../../db/tables.gen.ts'
import type { PrimitiveSuggestion } from '../../src/api/primitive-impact-shapes.ts'
import { builtinTypes } from '../../src/types/builtin/builtin.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findVersion } from '../records/door.ts'
import { basesOf, inParts, readEdges } from '../used-types/door.ts'
import { closureOf } from './classify.ts'

/** Of a large registry so many types are looked at: those of the names that the version uses, then the last changed ones. */
const mostNamed = 1000
const mostRecent = 1000
const defaultLimit = 50

interface Candidate {
  readonly id: string
  readonly ref: string
  readonly revision: number
  readonly scope: string
  readonly description: string
  readonly schema: string
}

const { id, ref, revision, scope, description, schema } = primitives
const columns = { id, ref, revision, scope, description, schema }

async function candidatesOf(read: Reader, tenantId: string, names: readonly string[]): Promise<Candidate[]> {
  const found = new Map<string, Candidate>()
  const lower = [...new Set(names.map((name) => name.toLowerCase()))]
  for (const part of inParts(lower)) {
    const list = sql.join(
      part.map((it) => sql`${it}`),
      sql`, `,
    )
    const named = await read
      .select(columns)
      .from(primitives)
      .where(inTenant(primitives, tenantId, sql`lower(${primitives.name}) in (${list})`))
      .limit(mostNamed)
    for (const row of named) found.set(row.ref, row)
  }
  const recent = await read
    .select(columns)
    .from(primitives)
    .where(inTenant(primitives, tenantId))
    .orderBy(desc(primitives.updatedAt), desc(primitives.id))
    .limit(mostRecent)
  for (const row of recent) found.set(row.ref, row)
  for (const it of builtinTypes())
    if (!found.has(it.ref)) found.set(it.ref, { ...it, id: it.ref, revision: 1, schema: JSON.stringify(it.schema) })
  return [...found.values()]
}

/**
 * The schemas of a version that registered types could replace.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function suggestTypes(
  deps: Deps,
  grant: Grant,
  request: { readonly project: string; readonly version: string; readonly limit?: number },
) {
  const tenantId = tenantOf(grant).id
  const { read } = deps.db
  const { project, version } = await findVersion(read, tenantId, request.project, request.version)
  const { classNames } = await deps.analysis.ofVersion(version)
  const types = await candidatesOf(read, tenantId, classNames)
  const edges = await readEdges(
    read,
    tenantId,
    types.map((it) => it.id),
  )
  const keys = [
    ...[...edges.values()].flat().map(({ key }) => key),
    ...builtinTypes().flatMap((it) => it.keys.map(({ key }) => key)),
  ].flatMap((key) => key ?? [])
  const { suggestions, schemas, isCut } = await deps.analysis.run(
    tenantId,
    'type-suggestions',
    {
      kind: version.format.kind,
      types: types.map((it) => ({ ref: it.ref, schema: it.schema })),
      registry: await closureOf(read, tenantId, keys),
      bases: basesOf(deps, grant),
      limit: request.limit ?? defaultLimit,
    },
    [deps.analysis.subjectOf(version)],
  )
  const byRef = new Map(types.map((it) => [it.ref, it]))
  const shown = suggestions.flatMap(({ ref: named, patch, ...rest }): PrimitiveSuggestion[] => {
    const type = byRef.get(named)
    if (type === undefined) return []
    const { schema: _, ...primitive } = type
    return [
      {
        ...rest,
        primitive: {
          id: primitive.id,
          ref: primitive.ref,
          revision: primitive.revision,
          scope: primitive.scope,
          description: primitive.description,
        },
        patch: [...patch],
        changes_values: rest.relation === 'wider',
      },
    ]
  })
  return {
    project: project.slug,
    version: version.label,
    digest: version.digest,
    suggestions: shown,
    count: shown.length,
    considered: { schemas, types: types.length },
    truncated: isCut,
  }
}
