import type { PrimitiveReviewBody, ReviewedTypeRecord } from '../../src/api/primitive-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import type { TypeChange } from '../../src/types/compare.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { classify, unresolvedOf, type Classified } from './classify.ts'
import { suggestFor } from './graph.ts'
import { readTypes, sourceKindOf, type TypesRead } from './read-types.ts'
import { assertName, namespaceOf } from './service.ts'
import { readStaged } from './stage.ts'

/** What an import request names: its source, with the types in it. */
export interface Source extends TypesRead {
  readonly kind: ReturnType<typeof sourceKindOf>
  readonly text: string
  readonly importId: string | null
}

/**
 * Reads the types that a request is about.
 * @param names other names for types, by key
 * @throws SvcError format of the source refused with
 */
export async function readRequested(
  deps: Deps,
  grant: Grant,
  body: PrimitiveReviewBody,
  names: Readonly<Record<string, string>>,
): Promise<Source> {
  const given = [body.document, body.content, body.import_id].filter((it) => it !== undefined && it !== null)
  if (given.length !== 1) throw new SvcError('import-source-missing')
  const importId = body.import_id ?? null
  const staged = importId === null ? null : await readStaged(deps, grant, importId)
  const kind = staged !== null && body.source_kind === undefined ? staged.kind : sourceKindOf(body.source_kind)
  const document = body.document ?? body.content ?? ''
  const text = staged?.text ?? (typeof document === 'string' ? document : JSON.stringify(document))
  const name = body.name ?? null
  if (name !== null) assertName(name)
  const wanted = body.namespace ?? staged?.namespace ?? null
  const read = await readTypes(deps, grant, {
    text,
    source: staged?.source ?? 'the document',
    kind,
    namespace: wanted === null ? null : namespaceOf(wanted),
    name,
    root: body.include_root ?? false,
    names,
    select: body.select ?? null,
  })
  const types = read.types.map((entry) => ({
    ...entry,
    category: entry.category ?? body.category ?? null,
    tags: [...new Set([...entry.tags, ...(body.tags ?? [])])],
    description: (read.types.length === 1 ? body.description : null) ?? entry.description,
  }))
  return { kind, text, importId, types, problems: read.problems }
}

const isHarmless = (change: TypeChange | null): boolean =>
  change !== null && change.verdict === 'safe' && change.severity !== 'breaking'

/**
 * What an import would do; nothing is written.
 * @throws SvcError `bundle-malformed`, `types-unreadable`, `types-too-many`, `source-kind-unknown`, `import-source-missing` …
 */
export async function reviewTypes(deps: Deps, grant: Grant, body: PrimitiveReviewBody) {
  const source = await readRequested(deps, grant, body, {})
  const classified = await classify(deps, grant, source.types)
  const unresolved = await unresolvedOf(deps, grant, source.types)
  const targets = [...unresolved.values()].flat().map(({ target }) => target)
  const suggestions = await suggestFor(deps, tenantOf(grant).id, [...new Set(targets)])
  const types = classified.map(({ type, classification, existing, change }): ReviewedTypeRecord => {
    const isConflict = classification === 'Conflict'
    const better = isHarmless(change) ? 'overwrite' : 'keep'
    return {
      key: type.key,
      name: type.name,
      namespace: type.namespace,
      classification,
      existing: existing === null ? null : { id: existing.id, revision: existing.revision },
      validation: { valid: type.errors.length === 0, draft: type.draft, errors: [...type.errors] },
      unresolved: (unresolved.get(type.key) ?? []).map((it) => ({
        ...it,
        candidates: suggestions.get(it.target) ?? [],
      })),
      change: change === null ? null : { ...change, counts: { ...change.counts } },
      schema: isConflict ? (JSON.parse(type.schema) as unknown) : null,
      resolutions: isConflict ? ['keep', 'overwrite', 'rename'] : [],
      recommended: isConflict ? better : null,
    }
  })
  const of = (classification: Classified['classification']) =>
    types.filter((it) => it.classification === classification).length
  return {
    status: 'review' as const,
    source_kind: source.kind,
    summary: {
      total: types.length,
      new: of('New'),
      identical: of('Identical'),
      conflict: of('Conflict'),
      invalid: types.filter(({ validation }) => !validation.valid).length,
      unresolved_refs: targets.length,
    },
    types,
    problems: [...source.problems],
  }
}
