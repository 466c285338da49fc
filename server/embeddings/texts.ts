import type { Database } from '../../db/database.ts'
import { missingVectors, storeVectors, type VectorSpace } from '../../db/search/vectors.ts'
import type { Embedder } from '../kit/door.ts'

/** Texts are short: a model reads the first few hundred words of one well, and each costs. */
export const mostCharacters = 2000
/** For how long vectors that nothing uses are kept: they may be on their way. */
export const unusedForMs = 24 * 3_600_000
const textsPerRequest = 64

/** What a vector of a text is known by. */
export const digestOfText = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** Where the vectors of some texts are made. */
interface Embedding {
  readonly db: Database
  readonly space: VectorSpace
  readonly embedder: Embedder
  readonly signal: AbortSignal
  at(): string
  progress(done: number, total: number): Promise<void>
}

/**
 * Makes the vectors of texts that have none and stores them batch by batch, so that what was paid for is kept when a later batch
 * fails.
 * @param texts by their digests
 * @returns how many were made
 * @throws SvcError `embedding-failed`, `egress-denied`
 */
export async function embedTexts(
  { db, space, embedder, signal, at, progress }: Embedding,
  texts: ReadonlyMap<string, string>,
): Promise<number> {
  const missing = [...(await missingVectors(db.read, space, [...texts.keys()]))]
  for (let from = 0; from < missing.length; from += textsPerRequest) {
    signal.throwIfAborted()
    await progress(from, missing.length)
    const digests = missing.slice(from, from + textsPerRequest)
    const vectors = await embedder.embed(
      digests.map((digest) => texts.get(digest) ?? ''),
      signal,
    )
    const rows = digests.map((digest, index) => ({ digest, vector: vectors[index] ?? new Uint8Array() }))
    await db.inTransaction((tx) => storeVectors(tx, space, rows, at()))
  }
  return missing.length
}
