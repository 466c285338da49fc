import { type SQL, sql } from 'drizzle-orm'
import { searchEntries } from '../tables/search-entries.ts'

/** The entries with words that begin with all, or any, of these. */
export function matchPostgres(words: readonly string[], mode: 'all' | 'any'): SQL {
  const query = words
    .map((word) => (word.length > 1 ? `'${word}':*` : `'${word}'`))
    .join(mode === 'all' ? ' & ' : ' | ')
  return sql`array_to_tsvector(string_to_array(${searchEntries.words}, ' ')) @@ ${query}::tsquery`
}
