/** Full-text search over parts of versions. The engines find the rows; the order is made here, so it is the same on both. */
import { and, eq, max, type SQL } from 'drizzle-orm'
import { inTenant } from '../conditions.ts'
import { limitOfProjects } from '../limits.ts'
import type { Database, Transaction } from '../database.ts'
import { searchEntries } from '../tables/search-entries.ts'
import { versions } from '../tables/versions.ts'
import { yieldToEventLoop } from '../yield.ts'
import { type EntryKind, headMark, type IndexName, kindTerm, type Match, nameTerm, tenantTerm } from './match.ts'
import { matchPostgres } from './postgres.ts'
import { matchSqlite } from './sqlite.ts'
import { meaningful, splitWords } from './words.ts'
import { compareText } from '../../src/kernel/order.ts'

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
  /** How many were found; `bounded` says that there may be more. */
  readonly total: number
  readonly bounded: boolean
}

/** How many rows are ordered for one answer. */
const candidates = 2000
/** Where titles and names alone find so many, what has the words elsewhere would be behind all of them. */
const enoughHeads = 300
/** Where whole words find fewer, beginnings of words are looked for as well. */
const fewByWords = 50
/** Where nothing has all words: how many entries with some of them are enough, those with most first. */
const fewByMost = 10
const maxQueryWords = 12
/** Is between the words of a title and those of a name. */
const headBorder = '\t'
const rowsPerStatement = 200

/** The names by which somebody asks for exactly this: the whole one, and what comes after its method or kind. */
const namesOf = (ref: string): string[] => [...new Set([ref, ref.slice(ref.indexOf(' ') + 1)])]

/** Replaces what can be found of a version. */
export async function indexEntries(
  tx: Transaction,
  tenantId: string,
  versionId: string,
  sources: readonly SearchSource[],
): Promise<void> {
  await removeEntries(tx, versionId)
  if (sources.length === 0) return
  const first = await nextEntryId(tx)
  const [version] = await tx.select({ current: versions.current }).from(versions).where(eq(versions.id, versionId))
  const current = version?.current ?? false
  const rowOf = ({ ref, title, body }: SearchSource, n: number) => {
    const titleWords = splitWords(title)
    const nameWords = splitWords(ref)
    const heads = [...new Set([...titleWords, ...nameWords])]
    const words = [
      ...new Set([...heads, ...splitWords(body)]),
      ...heads.map((word) => headMark + word),
      ...namesOf(ref).map(nameTerm),
    ].join(' ')
    const headWords = `${titleWords.join(' ')}${headBorder}${nameWords.join(' ')}`
    return { id: first + n, tenantId, versionId, ref, headWords, words, current }
  }
  // Words of a thousand operations take a while: between statements others have their turn.
  for (let at = 0; at < sources.length; at += rowsPerStatement) {
    if (at > 0) await yieldToEventLoop()
    const part = sources.slice(at, at + rowsPerStatement)
    await tx.insert(searchEntries).values(part.map((it, n) => rowOf(it, at + n)))
  }
}

/** The first number that no entry has; no other transaction takes one until the end of this one. */
export async function nextEntryId(tx: Transaction): Promise<number> {
  await tx.lock('search-entries')
  const [greatest] = await tx.select({ id: max(searchEntries.id) }).from(searchEntries)
  return (greatest?.id ?? 0) + 1
}

/** Forgets a version. */
export async function removeEntries(tx: Transaction, versionId: string): Promise<void> {
  await tx.delete(searchEntries).where(eq(searchEntries.versionId, versionId))
}

export interface SearchQuery {
  /** Whose entries; null: those of any organization, as far as the scope allows. */
  readonly tenantId: string | null
  readonly kind: EntryKind
  /** In which versions: those that people mean, the others, or all of them. */
  readonly among: IndexName | 'all'
  /** Which of these the caller may find, as a condition on `searchEntries`; needed where no organization is named. */
  readonly scope?: SQL
  readonly text: string
  /** Whether entries with some of the words are found where none has them all; they are unless this is false. */
  readonly some?: boolean
  readonly offset?: number
  readonly limit: number
}

interface Row {
  readonly id: number
  readonly versionId: string
  readonly ref: string
  readonly headWords: string
  /** Where only some of the words were asked for; else an entry has them all. */
  readonly words?: string
}

/**
 * Finds entries that have all words, better results first. Where few have them, words may also be beginnings of longer ones;
 * where none has, what has most of the words is found. Words that tell nothing alone ("the", "of") count only where
 * there is no other. A query without a word finds nothing.
 */
export async function searchFor(db: Database, query: SearchQuery): Promise<SearchAnswer> {
  const words = meaningful(splitWords(query.text)).slice(0, maxQueryWords)
  if (words.length === 0) return { hits: [], total: 0, bounded: false }
  const rows = await collect(db, query, words)
  const scored = scoreRows(words, rows).sort(
    (a, b) => b.score - a.score || compareText(a.ref, b.ref) || compareText(b.versionId, a.versionId),
  )
  const offset = query.offset ?? 0
  return {
    hits: scored.slice(offset, offset + query.limit),
    total: scored.length,
    bounded: rows.length >= candidates,
  }
}

async function collect(db: Database, query: SearchQuery, words: readonly string[]): Promise<Row[]> {
  const found = new Map<number, Row>()
  const { id, versionId, ref, headWords, words: all } = searchEntries
  const { tenantId, scope } = query
  const mayFind = tenantId === null ? scope : inTenant(searchEntries, tenantId, scope)
  const always = [...(tenantId === null ? [] : [tenantTerm(tenantId)]), kindTerm(query.kind)]
  // Where a condition or the projects of the caller choose among what the index finds, the index cannot stop early.
  const most = scope === undefined && limitOfProjects() === null ? candidates : null
  const indexes: readonly IndexName[] = query.among === 'all' ? ['current', 'older'] : [query.among]
  const add = async ({ terms = [], ...rest }: Omit<Match, 'index' | 'terms'> & { readonly terms?: string[] }) => {
    const isPart = rest.words.length > 0 && rest.least < rest.words.length
    const columns = isPart ? { id, versionId, ref, headWords, words: all } : { id, versionId, ref, headWords }
    for (const index of indexes) {
      const match = { ...rest, index, terms: [...always, ...terms] }
      const matches = db.dialect === 'sqlite' ? matchSqlite(match, most) : matchPostgres(match)
      const rows: Row[] = await db.read
        .select(columns)
        .from(searchEntries)
        .where(and(mayFind, matches))
        .limit(candidates)
      for (const row of rows) if (found.size < candidates && !found.has(row.id)) found.set(row.id, row)
    }
  }
  const every = { words, least: words.length }
  // Of a schema the index has its name alone.
  const head = query.kind === 'schema'
  await add({ words: [], least: 0, head, prefix: false, terms: [nameTerm(query.text)] })
  await add({ ...every, head: true, prefix: false })
  if (!head && found.size < enoughHeads) await add({ ...every, head, prefix: false })
  if (found.size < fewByWords) await add({ ...every, head, prefix: true })
  if (found.size > 0 || query.some === false) return [...found.values()]
  for (let least = words.length - 1; least > 0 && found.size < fewByMost; least--)
    await add({ words, least, head, prefix: true })
  return [...found.values()]
}

/** How much a place tells, by whole word and by beginning. */
const worth = { title: [8, 5], name: [4, 3], elsewhere: [1, 1], coverage: 6 } as const

/** Texts of words with a space around each, so that a whole word and a beginning are substrings. */
interface Places {
  readonly title: string
  readonly name: string
  /** Null where every word is in it anyway. */
  readonly all: string | null
}

function placesOf({ headWords, words }: Row): Places {
  const [title = '', name = ''] = headWords.split(headBorder)
  return { title: ` ${title} `, name: ` ${name} `, all: words === undefined ? null : ` ${words} ` }
}

function worthAt(text: string, word: string, [whole, beginning]: readonly [number, number]): number {
  if (text.includes(` ${word} `)) return whole
  return word.length > 1 && text.includes(` ${word}`) ? beginning : 0
}

function worthOf(word: string, { title, name, all }: Places): number {
  const inTitle = worthAt(title, word, worth.title)
  // The name of what has the word in its title too is a little more of the same.
  if (inTitle > 0) return inTitle + (name.includes(` ${word} `) ? 1 : 0)
  return worthAt(name, word, worth.name) || (all === null ? worth.elsewhere[0] : worthAt(all, word, worth.elsewhere))
}

/**
 * Sums what each word found; a word that few of the rows have in their heads tells more. The more of a title was asked
 * for, the better: "List pets" before "List pets of an owner".
 */
function scoreRows(words: readonly string[], rows: readonly Row[]): SearchHit[] {
  const places = rows.map(placesOf)
  const rarity = words.map((word) => {
    const heads = places.filter(({ title, name }) => title.includes(` ${word}`) || name.includes(` ${word}`)).length
    return 1 + Math.log(1 + rows.length / (1 + heads))
  })
  return rows.map(({ versionId, ref }, index) => {
    const it = places[index]
    if (!it) return { versionId, ref, score: 0 }
    const found = words.reduce((sum, word, at) => sum + (rarity[at] ?? 1) * worthOf(word, it), 0)
    const asked = words.filter((word) => it.title.includes(` ${word} `)).length
    const titleLength = it.title.split(' ').length - 2
    return { versionId, ref, score: found + (worth.coverage * (asked + 0.1)) / Math.max(1, titleLength) }
  })
}
