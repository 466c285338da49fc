import { type SQL, sql } from 'drizzle-orm'
import { searchEntries } from '../tables/search-entries.ts'
import { byBeginning, groupsOf, headMark, type Match } from './match.ts'

/**
 * The entries that match, by one of the two indexes of FTS5.
 * @param most how many the index answers, where nothing else chooses among them; null: all
 */
export function matchSqlite(match: Match, most: number | null): SQL {
  const mark = match.head ? headMark : ''
  const term = (word: string) => `"${mark}${word}"${byBeginning(word, match) ? '*' : ''}`
  const groups = match.words.length === 0 ? [] : [groupsOf(match).map((group) => `(${group.map(term).join(' AND ')})`)]
  const query = [...match.terms.map((it) => `"${it}"`), ...groups.map((any) => `(${any.join(' OR ')})`)].join(' AND ')
  const table = sql.raw(match.index === 'current' ? 'search_current' : 'search_older')
  const limit = most === null ? sql`` : sql` limit ${most}`
  return sql`${searchEntries.id} in (select rowid from ${table} where ${table} match ${query}${limit})`
}
