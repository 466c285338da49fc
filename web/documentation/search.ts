/** The search over operations, schemas and all their texts: words that the service indexed, and parts of names. */
import { shardOf, wordsOf, type ReaderIndex, type WordsPart } from '../../src/api/reader.ts'
import { refOf } from './place.ts'

export type Hit = { readonly kind: 'operation' | 'schema'; readonly index: number }

const mostHits = 200
const inName = 20

/** How well each entry has a word: 1 to 6, twice its weight where the word is whole. */
const scoresOf = (words: WordsPart, asked: string): Map<number, number> => {
  const scores = new Map<number, number>()
  for (const [word, places] of Object.entries(words)) {
    if (!word.startsWith(asked)) continue
    const factor = word === asked ? 2 : 1
    for (const place of places) {
      const id = Math.floor(place / 4)
      scores.set(id, Math.max(scores.get(id) ?? 0, (place % 4) * factor))
    }
  }
  return scores
}

/** Entries that have every word, with the sum of their scores. */
const allOf = (each: readonly ReadonlyMap<number, number>[]): Map<number, number> => {
  const [first, ...rest] = each
  const found = new Map(first)
  for (const scores of rest)
    for (const [id, score] of found) {
      const more = scores.get(id)
      if (more === undefined) found.delete(id)
      else found.set(id, score + more)
    }
  return found
}

/**
 * Finds operations and schemas, the best first: those whose name contains the text, then those whose texts have all of
 * its words or begin with them.
 * @param readWords gives the part of a shard
 */
export const search = async (
  index: ReaderIndex,
  text: string,
  readWords: (name: string) => Promise<WordsPart>,
): Promise<Hit[]> => {
  const asked = text.trim().toLowerCase()
  if (asked === '') return []
  const words = wordsOf(text)
  const shards = await Promise.all(words.map((word) => readWords(shardOf(word))))
  const found =
    words.length === 0 ? new Map<number, number>() : allOf(words.map((it, at) => scoresOf(shards[at] ?? {}, it)))
  const names = [...index.operations.map((it) => `${refOf(it)} ${it.operationId} ${it.summary}`), ...index.schemas]
  for (const [id, name] of names.entries()) {
    const at = name.toLowerCase().indexOf(asked)
    if (at < 0) continue
    const isWhole = name.length === asked.length
    found.set(id, (found.get(id) ?? 0) + inName + (isWhole ? inName : 0))
  }
  return [...found]
    .sort(([a, most], [b, more]) => more - most || a - b)
    .slice(0, mostHits)
    .map(([id]): Hit => {
      const at = id - index.operations.length
      return at < 0 ? { kind: 'operation', index: id } : { kind: 'schema', index: at }
    })
}
