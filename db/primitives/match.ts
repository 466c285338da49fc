import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../database.ts'
import { primitives } from '../tables/primitives.ts'

/** So many trigrams narrow a search enough: the text itself is compared afterwards. */
const mostTrigrams = 12

function trigramsOf(needle: string): readonly string[] {
  // As SQLite divides texts: by code points.
  const letters = Array.from(needle)
  const all = letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''))
  const distinct = [...new Set(all)]
  const step = Math.max(1, distinct.length / mostTrigrams)
  return distinct.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/**
 * The types whose folded text contains a folded needle, which has no wildcards: by a trigram index where the needle has
 * three letters, otherwise by their texts.
 */
export function foldedContains(dialect: Dialect, needle: string): SQL {
  if (dialect === 'postgres')
    return sql`${primitives.folded} like ${`%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape '\\'`
  const exact = sql`instr(${primitives.folded}, ${needle}) > 0`
  const trigrams = trigramsOf(needle)
  if (trigrams.length === 0) return exact
  const query = trigrams.map((it) => `"${it.replaceAll('"', '""')}"`).join(' AND ')
  return sql`${primitives.searchId} in (select rowid from primitive_search where primitive_search match ${query}) and ${exact}`
}
