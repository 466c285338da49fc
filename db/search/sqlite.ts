import { type SQL, sql } from 'drizzle-orm'
import { searchEntries } from '../tables/search-entries.ts'
import { byBeginning, groupsOf, headMark, type Match } from './match.ts'

/** The entries that match, by FTS5. */
export function matchSqlite(match: Match): SQL {
  const mark = match.head ? headMark : ''
  const term = (word: string) => `"${mark}${word}"${byBeginning(word, match) ? '*' : ''}`
  const query = groupsOf(match)
    .map((group) => `(${group.map(term).join(' AND ')})`)
    .join(' OR ')
  return sql`${searchEntries.id} in (select rowid from search_index where search_index match ${query})`
}
