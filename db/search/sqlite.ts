import { type SQL, sql } from 'drizzle-orm'
import { searchEntries } from '../tables/search-entries.ts'

/** The entries with words that begin with all, or any, of these. */
export function matchSqlite(words: readonly string[], mode: 'all' | 'any'): SQL {
  const query = words
    .map((word) => (word.length > 1 ? `"${word}"*` : `"${word}"`))
    .join(mode === 'all' ? ' AND ' : ' OR ')
  return sql`${searchEntries.id} in (select rowid from search_index where search_index match ${query})`
}
