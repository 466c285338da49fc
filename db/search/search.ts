/** Full-text search over parts of versions. The engines find the rows; the order is made here, so it is the same on both. */
import { and, eq, max, type SQL } from 'drizzle-orm'
import type { Database, Transaction } from '../database.ts'
import { searchEntries } from '../tables/search-entries.ts'
import { matchPostgres } from './postgres.ts'
import { matchSqlite } from './sqlite.ts'
import { splitWords } from './words.ts'

export interface SearchSource {
  readonly ref: string
  /** What a person would call it: its words count most. */
  readonly title: string
  readonly body: string
}

export interface SearchHit {
  readonly versionId: string
  readonly ref: string
  /** Higher is better; comparable within one answer only. */
  readonly score: number
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** How many were found; `bounded` tells that there may be more. */
  readonly total: number
  readonly bounded: boolean
}

/** How many rows are ordered for one answer. */
const candidates = 1000
const maxQueryWords = 12
const rowsPerStatement = 2000

/** Replaces what can be found of a version. */
export async function indexEntries(
  tx: Transaction,
  tenantId: string,
  versionId: string,
  sources: readonly SearchSource[],
): Promise<void> {
  await removeEntries(tx, versionId)
  if (sources.length === 0) return
  await tx.lock('search-entries')
  const [greatest] = await tx.select({ id: max(searchEntries.id) }).from(searchEntries)
  const first = (greatest?.id ?? 0) + 1
  const rows = sources.map(({ ref, title, body }, n) => {
    const titleWords = splitWords(title)
    const words = [...new Set([...titleWords, ...splitWords(body)])]
    return { id: first + n, tenantId, versionId, ref, titleWords: titleWords.join(' '), words: words.join(' ') }
  })
  for (let at = 0; at < rows.length; at += rowsPerStatement)
    await tx.insert(searchEntries).values(rows.slice(at, at + rowsPerStatement))
}

/** Forgets a version. */
export async function removeEntries(tx: Transaction, versionId: string): Promise<void> {
  await tx.delete(searchEntries).where(eq(searchEntries.versionId, versionId))
}

export interface SearchQuery {
  /**
   * Which entries the caller may find at all, as a condition on `searchEntries`: those of a tenant by `inTenant`, or
   * those of the versions that a subquery names.
   */
  readonly scope: SQL
  readonly text: string
  readonly offset?: number
  readonly limit: number
}

/**
 * Finds entries whose words begin with those of the query (a single letter must be the whole word): those that have all of them, or where there are none, any.
 * Better hits stand first; a query without a word finds nothing.
 */
export async function searchFor(db: Database, query: SearchQuery): Promise<SearchAnswer> {
  const words = splitWords(query.text).slice(0, maxQueryWords)
  if (words.length === 0) return { hits: [], total: 0, bounded: false }
  const match = db.dialect === 'sqlite' ? matchSqlite : matchPostgres
  const find = (mode: 'all' | 'any') =>
    db.read
      .select({
        versionId: searchEntries.versionId,
        ref: searchEntries.ref,
        titleWords: searchEntries.titleWords,
        words: searchEntries.words,
      })
      .from(searchEntries)
      .where(and(query.scope, match(words, mode)))
      .limit(candidates)
  let rows = await find('all')
  if (rows.length === 0 && words.length > 1) rows = await find('any')
  const scored = rows
    .map((row) => ({ versionId: row.versionId, ref: row.ref, score: scoreEntry(words, row.titleWords, row.words) }))
    .sort((a, b) => b.score - a.score || compare(a.ref, b.ref) || compare(a.versionId, b.versionId))
  const offset = query.offset ?? 0
  return {
    hits: scored.slice(offset, offset + query.limit),
    total: scored.length,
    bounded: rows.length === candidates,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

// Both texts begin with a space here, so that a whole word and a beginning are substrings.
function scoreWord(word: string, title: string, all: string): number {
  if (title.includes(` ${word} `)) return 8
  if (title.includes(` ${word}`)) return 5
  if (all.includes(` ${word} `)) return 3
  return all.includes(` ${word}`) ? 1 : 0
}

/** Sums what each word found; between equals the shorter title is the better answer. */
function scoreEntry(words: readonly string[], titleWords: string, allWords: string): number {
  const title = ` ${titleWords} `
  const all = ` ${allWords} `
  const found = words.reduce((sum, word) => sum + scoreWord(word, title, all), 0)
  return found + 1 / (1 + titleWords.split(' ').length)
}
