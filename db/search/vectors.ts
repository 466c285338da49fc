/** Search by embeddings: vectors of texts, packed into bytes, compared here so that the order is the same on both engines. */
import { and, asc, eq, exists, inArray, lt, notExists, sql, type SQL } from 'drizzle-orm'
import { after, inTenant } from '../conditions.ts'
import type { Reader, Transaction } from '../database.ts'
import { embeddingEntries, embeddingTypes, embeddingVectors } from '../tables/embeddings.ts'
import { compareText } from '../../src/kernel/order.ts'

const scaleBytes = 4

/**
 * Packs a vector of length one as its greatest magnitude (float32) and one signed byte for each dimension: a quarter of
 * the space, and the order of neighbours hardly changes.
 */
export function packVector(vector: readonly number[] | Float32Array): Uint8Array {
  let squares = 0
  let greatest = 0
  for (const value of vector) {
    squares += value * value
    greatest = Math.max(greatest, Math.abs(value))
  }
  const length = Math.sqrt(squares) || 1
  const packed = new Uint8Array(scaleBytes + vector.length)
  const scale = greatest / 127 || 1
  new DataView(packed.buffer).setFloat32(0, scale / length, true)
  for (let at = 0; at < vector.length; at++) packed[scaleBytes + at] = Math.round((vector[at] ?? 0) / scale)
  return packed
}

/** The cosine of the angle between two packed vectors: 1 for the same direction. 0 where their dimensions differ. */
export function similarity(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return 0
  const [x, y] = [signed(a), signed(b)]
  let sum = 0
  for (let at = 0; at < x.length; at++) sum += (x[at] ?? 0) * (y[at] ?? 0)
  return sum * scaleOf(a) * scaleOf(b)
}

const signed = (packed: Uint8Array): Int8Array =>
  new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, packed.length - scaleBytes)
const scaleOf = (packed: Uint8Array): number =>
  new DataView(packed.buffer, packed.byteOffset, scaleBytes).getFloat32(0, true)

/** Whose texts, and by which model they were read. */
export interface VectorSpace {
  readonly tenantId: string
  readonly model: string
}

// Well below the limits of both engines for the parameters of one statement.
const digestsPerQuery = 1000
const rowsPerStatement = 500

/** Which of these texts have no vector yet. */
export async function missingVectors(
  read: Reader,
  { tenantId, model }: VectorSpace,
  digests: readonly string[],
): Promise<Set<string>> {
  const missing = new Set(digests)
  for (let at = 0; at < digests.length; at += digestsPerQuery) {
    const known = await read
      .select({ digest: embeddingVectors.digest })
      .from(embeddingVectors)
      .where(
        inTenant(
          embeddingVectors,
          tenantId,
          eq(embeddingVectors.model, model),
          inArray(embeddingVectors.digest, digests.slice(at, at + digestsPerQuery)),
        ),
      )
    for (const { digest } of known) missing.delete(digest)
  }
  return missing
}

/** Stores vectors of texts; those that another worker stored meanwhile are left as they are. */
export async function storeVectors(
  tx: Transaction,
  space: VectorSpace,
  vectors: readonly { readonly digest: string; readonly vector: Uint8Array }[],
  at: string,
): Promise<void> {
  const rows = vectors.map((it) => ({ ...space, ...it, createdAt: at }))
  for (let from = 0; from < rows.length; from += rowsPerStatement)
    await tx
      .insert(embeddingVectors)
      .values(rows.slice(from, from + rowsPerStatement))
      .onConflictDoNothing()
}

/** Says which text each operation of a version has, in place of what was said before. All vectors must be there. */
export async function indexVectors(
  tx: Transaction,
  { tenantId, model }: VectorSpace,
  versionId: string,
  entries: readonly { readonly ordinal: number; readonly ref: string; readonly digest: string }[],
): Promise<void> {
  const ofVersion = and(eq(embeddingEntries.versionId, versionId), eq(embeddingEntries.model, model))
  await tx.delete(embeddingEntries).where(inTenant(embeddingEntries, tenantId, ofVersion))
  const rows = entries.map(({ ordinal, ref, digest }) => ({ ordinal, ref, digest, versionId, tenantId, model }))
  for (let from = 0; from < rows.length; from += rowsPerStatement)
    await tx.insert(embeddingEntries).values(rows.slice(from, from + rowsPerStatement))
}

/** Says which text each type has, in place of what was said before. All vectors must be there. */
export async function indexTypes(
  tx: Transaction,
  { tenantId, model }: VectorSpace,
  entries: readonly { readonly primitiveId: string; readonly digest: string; readonly changedAt: string }[],
): Promise<void> {
  for (let from = 0; from < entries.length; from += rowsPerStatement) {
    const rows = entries.slice(from, from + rowsPerStatement)
    const ids = rows.map(({ primitiveId }) => primitiveId)
    const known = and(eq(embeddingTypes.model, model), inArray(embeddingTypes.primitiveId, ids))
    await tx.delete(embeddingTypes).where(inTenant(embeddingTypes, tenantId, known))
    await tx.insert(embeddingTypes).values(rows.map((row) => ({ ...row, tenantId, model })))
  }
}

// What has a vector, as a subquery beside it.
const usersOf = (read: Reader, table: typeof embeddingEntries | typeof embeddingTypes, scope?: SQL) =>
  read
    .select({ one: sql`1` })
    .from(table)
    .where(
      and(
        eq(table.tenantId, embeddingVectors.tenantId),
        eq(table.model, embeddingVectors.model),
        eq(table.digest, embeddingVectors.digest),
        scope,
      ),
    )

/** Forgets vectors of a tenant that neither a version nor a type uses and that were made before the instant: younger ones may be on their way. */
export async function forgetUnusedVectors(tx: Transaction, tenantId: string, before: string): Promise<void> {
  const isUnused = [embeddingEntries, embeddingTypes].map((table) => notExists(usersOf(tx, table)))
  await tx
    .delete(embeddingVectors)
    .where(inTenant(embeddingVectors, tenantId, lt(embeddingVectors.createdAt, before), ...isUnused))
}

export interface NearHit {
  readonly versionId: string
  readonly ref: string
  /** Cosine similarity, at most 1. */
  readonly score: number
}

export interface NearQuery {
  /** Which entries the caller may find, as a condition on `embeddingEntries`. */
  readonly scope: SQL
  readonly model: string
  readonly vector: Uint8Array
  /** How many different texts are ranked. */
  readonly texts: number
  /** How many operations that have them are answered at most. */
  readonly operations: number
}

const vectorsPerPage = 2000

interface Near {
  readonly tenantId: string
  readonly digest: string
  readonly score: number
}

/** The texts nearest to a vector, nearest first. Every vector in scope is looked at, a page at a time. */
async function rank(
  read: Reader,
  { model, vector, texts }: Pick<NearQuery, 'model' | 'vector' | 'texts'>,
  users: ReturnType<typeof usersOf>,
): Promise<Near[]> {
  let best: Near[] = []
  let last: Near | null = null
  for (;;) {
    const rest: SQL | undefined =
      last === null
        ? undefined
        : after([embeddingVectors.tenantId, last.tenantId], [embeddingVectors.digest, last.digest])
    const rows = await read
      .select({
        tenantId: embeddingVectors.tenantId,
        digest: embeddingVectors.digest,
        vector: embeddingVectors.vector,
      })
      .from(embeddingVectors)
      .where(and(eq(embeddingVectors.model, model), rest, exists(users)))
      .orderBy(asc(embeddingVectors.tenantId), asc(embeddingVectors.digest))
      .limit(vectorsPerPage)
    const scored = rows.map((row) => ({
      tenantId: row.tenantId,
      digest: row.digest,
      score: similarity(vector, row.vector),
    }))
    best = [...best, ...scored].sort((a, b) => b.score - a.score).slice(0, texts)
    if (rows.length < vectorsPerPage) return best
    last = scored.at(-1) ?? null
  }
}

const keyOf = ({ tenantId, digest }: Pick<Near, 'tenantId' | 'digest'>): string => `${tenantId} ${digest}`

/** The operations whose texts are nearest to a vector, nearest first. */
export async function nearest(read: Reader, query: NearQuery): Promise<NearHit[]> {
  return entriesOf(read, query, await rank(read, query, usersOf(read, embeddingEntries, query.scope)))
}

/** The types whose texts are nearest to a vector, each with how near; `scope` is a condition on `embeddingTypes`. */
export async function nearestTypes(
  read: Reader,
  query: Omit<NearQuery, 'operations'>,
): Promise<{ readonly primitiveId: string; readonly score: number }[]> {
  const best = await rank(read, query, usersOf(read, embeddingTypes, query.scope))
  const scores = new Map(best.map((it) => [keyOf(it), it.score]))
  const digests = [...new Set(best.map(({ digest }) => digest))]
  if (digests.length === 0) return []
  const { primitiveId, tenantId, digest } = embeddingTypes
  const rows = await read
    .select({ primitiveId, tenantId, digest })
    .from(embeddingTypes)
    .where(and(query.scope, eq(embeddingTypes.model, query.model), inArray(digest, digests)))
  return rows.flatMap((row) => {
    const score = scores.get(keyOf(row))
    return score === undefined ? [] : [{ primitiveId: row.primitiveId, score }]
  })
}

async function entriesOf(read: Reader, query: NearQuery, best: readonly Near[]): Promise<NearHit[]> {
  const scores = new Map(best.map((it) => [keyOf(it), it.score]))
  const digests = [...new Set(best.map(({ digest }) => digest))]
  if (digests.length === 0) return []
  const rows = await read
    .select({
      tenantId: embeddingEntries.tenantId,
      versionId: embeddingEntries.versionId,
      ref: embeddingEntries.ref,
      digest: embeddingEntries.digest,
    })
    .from(embeddingEntries)
    .where(and(query.scope, eq(embeddingEntries.model, query.model), inArray(embeddingEntries.digest, digests)))
  return rows
    .flatMap(({ tenantId, versionId, ref, digest }) => {
      const score = scores.get(keyOf({ tenantId, digest }))
      return score === undefined ? [] : [{ versionId, ref, score }]
    })
    .sort((a, b) => b.score - a.score || compareText(a.ref, b.ref) || compareText(a.versionId, b.versionId))
    .slice(0, query.operations)
}
