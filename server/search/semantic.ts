import { inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { nearest, nearestTypes } from '../../db/search/vectors.ts'
import { embeddingEntries, embeddingTypes, primitives } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import type { Questions } from '../embeddings/door.ts'
import { operationRecords, placed } from './versions.ts'

/** How far it looks: what comes after these is near to nothing. */
const rankedTexts = 100
const rankedOperations = 300

const rounded = (score: number): number => Math.round(score * 1000) / 1000

/**
 * Operations of published versions and types of an organization that are about the same as a text, whatever their words: by the
 * vectors that agents search too.
 * @param may whether the caller may see types
 * @throws SvcError `semantic-search-unavailable`, `embedding-failed`, `egress-denied`
 */
export async function searchBySense(
  { db, embedder }: Pick<Deps, 'db' | 'embedder'>,
  questions: Questions,
  tenantId: string,
  asked: { readonly text: string; readonly limit: number; readonly mayTypes: boolean },
): Promise<Pick<CatalogSearch, 'operations' | 'types'>> {
  const { text, limit, mayTypes } = asked
  if (embedder === null) throw new SvcError('semantic-search-unavailable')
  const { model } = embedder
  const near = { model, vector: await questions.vectorOf(embedder, text), texts: rankedTexts }
  const hits = await nearest(db.read, {
    ...near,
    scope: inTenant(embeddingEntries, tenantId),
    operations: rankedOperations,
  })
  const found = await placed(
    db,
    tenantId,
    hits.map((it) => ({ ...it, similarity: rounded(it.score) })),
  )
  const types = mayTypes ? await nearestTypes(db.read, { ...near, scope: inTenant(embeddingTypes, tenantId) }) : []
  const best = types.toSorted((a, b) => b.score - a.score || (a.primitiveId < b.primitiveId ? -1 : 1)).slice(0, limit)
  const rows =
    best.length === 0
      ? []
      : await db.read
          .select({ id: primitives.id, name: primitives.name, namespace: primitives.namespace })
          .from(primitives)
          .where(
            inTenant(
              primitives,
              tenantId,
              inArray(
                primitives.id,
                best.map(({ primitiveId }) => primitiveId),
              ),
            ),
          )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    operations: await operationRecords(db, tenantId, found.slice(0, limit)),
    types: best.flatMap(({ primitiveId, score }) => {
      const row = byId.get(primitiveId)
      return row === undefined ? [] : [{ ...row, similarity: rounded(score) }]
    }),
  }
}
