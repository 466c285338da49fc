import { type SQL, sql } from 'drizzle-orm'
import { searchEntries } from '../tables/search-entries.ts'
import { byBeginning, groupsOf, headMark, type Match } from './match.ts'

/** The entries that match, by the GIN index over their words. */
export function matchPostgres(match: Match): SQL {
  const mark = match.head ? headMark : ''
  const term = (word: string) => `'${mark}${word}'${byBeginning(word, match) ? ':*' : ''}`
  const query = groupsOf(match)
    .map((group) => `(${group.map(term).join(' & ')})`)
    .join(' | ')
  return sql`array_to_tsvector(string_to_array(${searchEntries.words}, ' ')) @@ ${query}::tsquery`
}
