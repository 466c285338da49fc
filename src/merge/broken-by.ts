/** What an edit breaks: the rules that held before it, and do not hold any more. */
import type { Document } from '../document/document.ts'
import { Outline } from '../document/outline.ts'
import { documentFrom } from '../document/parse.ts'
import type { Documents } from '../document/reference.ts'
import type { Json, Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { lint } from '../lint/lint.ts'
import type { Ruleset } from '../lint/rule.ts'
import { rules } from '../lint/rules.gen.ts'
import { contradictionsIn, type Contradiction } from './meaning.ts'
import { keysOf } from './places.ts'

/** A rule that a document breaks, with what names it in other documents too. */
export interface Breakage extends Contradiction {
  readonly name: string
}

/** Rules about values that are shown or compared, and not about what the document is. */
const others = /-valid-(?:media|schema)-example$|^mcp-(?:drift-|hidden-)|^no-\$ref-siblings$/

/** The rules without which a document is not what its specification describes. */
const structural: Ruleset = Object.fromEntries(
  Object.entries(rules).filter(
    ([id, { severity }]) =>
      id === 'typed-enum' || id === 'operation-parameters' || (severity === 'error' && !others.test(id)),
  ),
)

const nameOf = (document: Json, key: string, at: Path | null): string =>
  `${key} ${at === null ? '' : formatPointer(keysOf(document, at))}`

const sameLetter = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, '')

function* contradictionsOf(document: Json): Generator<Breakage> {
  for (const it of contradictionsIn(document)) yield { ...it, name: nameOf(document, it.key, it.at) }
}

function* structureOf(document: Document, documents: Documents): Generator<Breakage> {
  for (const { code, message, path, source } of lint(document, structural, { documents }).findings)
    if (source === document.source)
      yield {
        key: code,
        at: path,
        reason: sameLetter(message),
        places: [path],
        isFault: true,
        name: nameOf(document.value, `${code} ${message}`, path),
      }
}

const namesOf = (all: Iterable<Breakage>): ReadonlySet<string> => new Set(Iterator.from(all).map(({ name }) => name))

/** A document of a value alone: nothing in it has a position. */
export const documentOf = (value: Json): Document =>
  documentFrom(new Outline('', () => ''), value, { source: '', syntax: 'json' })

const structureOfOne = new WeakMap<Document, ReadonlySet<string>>()

function structuralNames(document: Document, documents: Documents): ReadonlySet<string> {
  const known = structureOfOne.get(document)
  if (known !== undefined) return known
  const names = namesOf(structureOf(document, documents))
  structureOfOne.set(document, names)
  return names
}

/** What contradicts each other in a document and in none of those before it. */
export function contradictedBy(after: Json, before: readonly Json[]): readonly Breakage[] {
  const found = [...contradictionsOf(after)]
  if (found.length === 0) return []
  const known = namesOf(before.flatMap((it) => [...contradictionsOf(it)]))
  return found.filter(({ name }) => !known.has(name))
}

/**
 * What a document breaks that none of the documents before it broke: first what contradicts each other, and only where nothing
 * does, the structural rules of its specification.
 * @param documents the files that it refers to
 */
export function brokenBy(after: Document, before: readonly Document[], documents: Documents = {}): readonly Breakage[] {
  const contradictions = contradictedBy(
    after.value,
    before.map(({ value }) => value),
  )
  if (contradictions.length > 0) return contradictions
  // Most documents break nothing, and those that do break the same as before: the others are looked at only as far as they are needed.
  let left = [...structureOf(after, documents)]
  for (const it of before) {
    if (left.length === 0) break
    const known = structuralNames(it, documents)
    left = left.filter(({ name }) => !known.has(name))
  }
  return left
}

/** The reason why an edit of one author is not applied, with the first place; null where it breaks nothing. */
export function refusalOf(after: Document, before: Document, documents: Documents = {}): string | null {
  const [first, ...more] = brokenBy(after, [before], documents).filter(({ isFault }) => isFault)
  if (first === undefined) return null
  const place = formatPointer(first.places[0] ?? [])
  const others = more.length === 0 ? '' : `, and ${more.length} more like it`
  return `${first.reason} (${place === '' ? 'the root' : place})${others}`
}
