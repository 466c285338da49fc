import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../database.ts'
import { primitives } from '../tables/primitives.ts'
import { rowidsOf, type RowScope } from './search-ids.ts'

/** The full-text index knows texts by three letters in a row. */
const fewestLetters = 3
/** Of longer texts so many letters are looked for in the index, and the rest in what it found. */
const mostLetters = 32

// As SQLite divides texts: by code points.
const lettersOf = (needle: string): readonly string[] => Array.from(needle)

const phraseOf = (letters: readonly string[]): string => `"${letters.join('').replaceAll('"', '""')}"`

/** Whether a folded text contains a needle, by a look at the text itself. */
export const containsItself = (dialect: Dialect, needle: string): SQL =>
  dialect === 'postgres'
    ? sql`position(${needle} in ${primitives.folded}) > 0`
    : sql`instr(${primitives.folded}, ${needle}) > 0`

/**
 * The types whose folded text contains a folded needle, which has no wildcards: by a trigram index where the needle has
 * three letters, otherwise by their texts.
 */
export function foldedContains(dialect: Dialect, needle: string): SQL {
  if (dialect === 'postgres')
    return sql`${primitives.folded} like ${`%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape '\\'`
  const letters = lettersOf(needle)
  if (letters.length < fewestLetters) return containsItself(dialect, needle)
  // A phrase of trigrams is what has these letters in a row.
  const found = sql`${primitives.searchId} in (select rowid from primitive_search where primitive_search match ${phraseOf(letters.slice(0, mostLetters))})`
  return letters.length <= mostLetters ? found : sql`${found} and ${containsItself(dialect, needle)}`
}

/** Whether the full-text index alone counts what contains a needle (`countInIndex`). */
export function isCountedByIndex(dialect: Dialect, needle: string): boolean {
  const { length } = lettersOf(needle)
  return dialect === 'sqlite' && length >= fewestLetters && length <= mostLetters
}

/** How many types of a scope contain a needle, beside a row of `primitive_registries`. */
export const countInIndex = (needle: string, scope: RowScope): SQL<number> =>
  sql<number>`(select count(*) from primitive_search where primitive_search match ${phraseOf(lettersOf(needle))} and ${rowidsOf(scope)})`

interface FirstQuery {
  readonly tenantId: string
  readonly needle: string
  /** Null: any. */
  readonly scope: RowScope | null
  /** What excludes earlier pages. */
  readonly beyond: SQL | undefined
  readonly limit: number
}

/** The condition that a type is among the first ones of a search, where few of all contain the needle. */
export function amongFirst(dialect: Dialect, { tenantId, needle, scope, beyond, limit }: FirstQuery): SQL | undefined {
  if (!isCountedByIndex(dialect, needle)) return undefined
  const conditions = sql.join(
    [
      sql`tenant_id = ${tenantId}`,
      sql`search_id in (select rowid from primitive_search where primitive_search match ${phraseOf(lettersOf(needle))})`,
      ...(scope === null ? [] : [sql`scope = ${scope}`]),
      ...(beyond === undefined ? [] : [beyond]),
    ],
    sql` and `,
  )
  // The index over numbers holds the order as well: with any other, SQLite reads every row that was found.
  return sql`${primitives.searchId} in (select search_id from primitives indexed by primitives_search_idx where ${conditions} order by namespace, name limit ${sql.raw(String(limit))})`
}
