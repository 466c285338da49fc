import { and, count, eq, inArray, type SQL } from 'drizzle-orm'
import { isTenant } from '../../db/conditions.ts'
import { nearestTypes, similarity } from '../../db/search/vectors.ts'
import { embeddingTypes, primitives, tenants } from '../../db/tables.gen.ts'
import type { SpecType } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import { builtinTypes, type BuiltinType } from '../../src/types/builtin/builtin.ts'
import { describeType } from '../../src/types/describe.ts'
import type { Deps, Embedder } from '../kit/door.ts'
import { awaitIndexed, mostCharacters, type Questions, unindexedTypes } from '../embeddings/door.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { columns, shown, shownBuiltin, visibleTypes, type ListQuery } from './types.ts'
import type { Viewer } from './viewer.ts'

/** How far a search looks: what comes after these is near to nothing. */
const rankedTexts = 200
const textsPerRequest = 64

interface Hit {
  readonly score: number
  readonly item: SpecType
}

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Searches types by what they mean, over all that the caller sees and those that come with svc, nearest first. */
export class TypeSearch {
  readonly #deps: Deps
  readonly #questions: Questions
  /** The vectors of the types that come with svc, made when first asked for; they are in no database. */
  #builtins: Promise<readonly (readonly [BuiltinType, Uint8Array])[]> | null = null

  constructor(deps: Deps, questions: Questions) {
    this.#deps = deps
    this.#questions = questions
  }

  /** @throws SvcError `cursor-invalid`, `usage`, `semantic-search-unavailable`, `embedding-failed`, `egress-denied` */
  async find(viewer: Viewer, query: ListQuery) {
    const { cursor, limit = 50, q = '', tenant, namespace } = query
    if (q.trim() === '')
      throw new SvcError('usage', { reason: 'A semantic search needs "q": what the types are about.' })
    const offset = cursor === undefined ? 0 : readCursor('types-semantic', cursor, ['number'])[0]
    const { embedder } = this.#deps
    if (embedder === null) throw new SvcError('semantic-search-unavailable')
    const scope = and(
      visibleTypes(viewer.tenants),
      tenant === undefined ? undefined : eq(tenants.slug, tenant),
      namespace === undefined ? undefined : eq(primitives.namespace, namespace),
    )
    const missing = await this.#awaitIndex(scope, embedder.model)
    const vector = await this.#questions.vectorOf(embedder, q)
    const own = await this.#rows(scope, embedder.model, vector)
    const builtins = tenant === undefined ? await this.#nearBuiltins(embedder, vector, namespace) : []
    const hits = [...own, ...builtins]
      .toSorted(
        (a, b) =>
          b.score - a.score || bytewise(a.item.type, b.item.type) || bytewise(a.item.tenant ?? '', b.item.tenant ?? ''),
      )
      .slice(0, rankedTexts)
    const page = hits.slice(offset, offset + limit)
    const end = offset + page.length
    return {
      items: page.map(({ item, score }) => ({ ...item, similarity: Math.round(score * 1000) / 1000 })),
      total: hits.length,
      next_cursor: end < hits.length && page.length > 0 ? writeCursor('types-semantic', [end]) : null,
      not_indexed: missing,
    }
  }

  /** Waits a moment for what was changed just now; gives how many types are still not indexed. */
  async #awaitIndex(scope: SQL | undefined, model: string): Promise<number> {
    const { db, wake } = this.#deps
    return awaitIndexed(async () => {
      const [missing] = await db.read
        .select({ n: count() })
        .from(primitives)
        .innerJoin(tenants, isTenant(primitives.tenantId))
        .where(and(scope, unindexedTypes(db.read, model)))
      return missing?.n ?? 0
    }, wake)
  }

  async #rows(scope: SQL | undefined, model: string, vector: Uint8Array): Promise<Hit[]> {
    const { read } = this.#deps.db
    const visible = read
      .select({ id: primitives.id })
      .from(primitives)
      .innerJoin(tenants, isTenant(primitives.tenantId))
      .where(scope)
    const near = await nearestTypes(read, {
      scope: inArray(embeddingTypes.primitiveId, visible),
      model,
      vector,
      texts: rankedTexts,
    })
    if (near.length === 0) return []
    const best = near.toSorted((a, b) => b.score - a.score).slice(0, 2 * rankedTexts)
    const rows = await read
      .select(columns)
      .from(primitives)
      .innerJoin(tenants, isTenant(primitives.tenantId))
      .where(
        and(
          scope,
          inArray(
            primitives.id,
            best.map(({ primitiveId }) => primitiveId),
          ),
        ),
      )
    const scores = new Map(best.map(({ primitiveId, score }) => [primitiveId, score]))
    return rows.map((it) => ({ score: scores.get(it.row.id) ?? 0, item: shown(it) }))
  }

  async #nearBuiltins(embedder: Embedder, vector: Uint8Array, namespace: string | undefined): Promise<Hit[]> {
    this.#builtins ??= embedBuiltins(embedder)
    // A failure is not remembered: the provider may answer the next time.
    this.#builtins.catch(() => (this.#builtins = null))
    return (await this.#builtins)
      .filter(([it]) => namespace === undefined || it.namespace === namespace)
      .map(([it, own]) => ({ score: similarity(vector, own), item: shownBuiltin(it) }))
  }
}

async function embedBuiltins(embedder: Embedder): Promise<(readonly [BuiltinType, Uint8Array])[]> {
  const all = builtinTypes()
  const found: (readonly [BuiltinType, Uint8Array])[] = []
  for (let from = 0; from < all.length; from += textsPerRequest) {
    const part = all.slice(from, from + textsPerRequest)
    const vectors = await embedder.embed(part.map((it) => describeType(it, mostCharacters)))
    for (const [index, it] of part.entries()) found.push([it, vectors[index] ?? new Uint8Array()])
  }
  return found
}
