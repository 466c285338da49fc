import { type SQL, sql } from 'drizzle-orm'
import { searchEntries } from '../tables/search-entries.ts'
import { byBeginning, groupsOf, headMark, type Match } from './match.ts'

/** The entries that match, by one of the two GIN indexes over their words. */
export function matchPostgres(match: Match): SQL {
  const mark = match.head ? headMark : ''
  const term = (word: string) => `'${mark}${word}'${byBeginning(word, match) ? ':*' : ''}`
  const groups = match.words.length === 0 ? [] : [groupsOf(match).map((group) => `(${group.map(term).join(' & ')})`)]
  const query = [...match.terms.map((it) => `'${it}'`), ...groups.map((any) => `(${any.join(' | ')})`)].join(' & ')
  const { words, tenantId, ref, current } = searchEntries
  const among = match.index === 'current' ? sql`${current}` : sql`not ${current}`
  return sql`search_terms(${words}, ${tenantId}, ${ref}) @@ ${query}::tsquery and ${among}`
}
