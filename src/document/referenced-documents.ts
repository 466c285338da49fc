/**
 * The walk from a document to all documents that it refers to; who calls it says how these are read, and keeps them all. An
 * import of many files has a walk of its own (`server/sources/reader.ts`): it also finds files by their `$id`, and
 * reads large trees again instead of keeping them.
 */
import type { Document } from './document.ts'
import { isMetaSchema } from '../kernel/text.ts'
import { findLinks, type Link } from './links.ts'
import { referenceNames } from './reference-names.ts'
import { parseReferenced } from './referenced-file.ts'

/** A reference to a document that was not read before. */
export interface Wanted {
  /** The reference joined to the `source` of the document that holds it: what the document will be known by. */
  readonly name: string
  /** The reference joined to the place of that document: where it is read. */
  readonly place: string
  readonly from: Document
  readonly link: Link
  /** Whether the reference may mean another name, which is tried where this one does not exist. */
  readonly isGuess: boolean
}

/** How documents are found. */
export interface ReferenceReader {
  /** Where the first document is, if its `source` is only a name for it. */
  readonly place?: string
  /** Whether a place can be read at all; other places are handled where the reference occurs. */
  holds(place: string): boolean
  /** The texts of places; null for one that is left out. */
  read(wanted: readonly Wanted[]): Promise<readonly (string | null)[]>
  /** The document of a text; `parseReferenced` by default. For those who have parsed it before. */
  parse?(text: string, name: string): Document
  /** The links of a document; `findLinks` by default. */
  linksOf?(document: Document): readonly Link[]
  /** How many documents there may be. */
  readonly most: number
  /** The error for the first document beyond `most`. */
  tooMany(wanted: Wanted): Error
}

/** A reference, and the files that it may mean, each by its name and its place. */
interface Candidates {
  readonly from: Document
  readonly link: Link
  readonly files: readonly { readonly name: string; readonly place: string }[]
}

const candidatesOf = (from: Document, place: string, link: Link, holds: (place: string) => boolean): Candidates => {
  const names = referenceNames(from.source, link.ref)
  const places = place === from.source ? names : referenceNames(place, link.ref)
  const files = names.map(({ name }, index) => ({ name, place: places[index]?.name ?? name }))
  return { from, link, files: files.filter((it) => holds(it.place) && !isMetaSchema(it.place)) }
}

/** The references of a document, each file once: most files are named many times. */
function* candidatesIn(
  from: Document,
  place: string,
  { holds, linksOf = findLinks }: Pick<ReferenceReader, 'holds' | 'linksOf'>,
): Generator<Candidates> {
  const seen = new Set<string>()
  for (const link of linksOf(from)) {
    const [file = ''] = link.ref.split('#', 1)
    // A name may have a "#" itself, and what must be there is asked for before what need not be.
    const key = `${/#[^/].*\./.test(link.ref) ? link.ref : file} ${link.base} ${link.isLoose}`
    if (seen.has(key)) continue
    seen.add(key)
    yield candidatesOf(from, place, link, holds)
  }
}

/**
 * Reads the documents that references of `first` lead to, directly or through each other, ring by ring.
 * @returns each with the reference that leads to it as its `source`, in the order in which they were found
 * @throws what `read` and `tooMany` raise
 */
export async function walkReferences(first: Document, reader: ReferenceReader): Promise<Document[]> {
  const { read, most, tooMany, parse = parseReferenced } = reader
  const places = new Map([[first.source, reader.place ?? first.source]])
  const missing = new Set<string>()
  const left = new Set<string>()
  const reached: Document[] = []
  for (let ring: readonly Document[] = [first]; ring.length > 0;) {
    const next: Document[] = []
    const all = ring.flatMap((from) => [...candidatesIn(from, places.get(from.source) ?? from.source, reader)])
    for (let open: readonly Candidates[] = all; open.length > 0;) {
      const wanted: Wanted[] = []
      for (const { from, link, files } of open) {
        const untried = files.find((it) => !missing.has(it.name))
        // Where nothing exists the first name is asked for once more: its absence is what is reported.
        const named = untried ?? files[0]
        // What only data named, and does not exist, is asked for again where it has to be there.
        const isAsked = named === undefined || (places.has(named.name) && (link.isLoose || !left.has(named.name)))
        if (isAsked) continue
        left.delete(named.name)
        places.set(named.name, named.place)
        wanted.push({ ...named, from, link, isGuess: files.length > 1 && untried !== undefined })
      }
      const beyond = wanted[most - reached.length - next.length]
      if (beyond !== undefined) throw tooMany(beyond)
      const texts = wanted.length === 0 ? [] : await read(wanted)
      for (const [index, { name }] of wanted.entries()) {
        const text = texts[index] ?? null
        if (text !== null) next.push(parse(text, name))
        else if (wanted[index]?.isGuess === true) {
          missing.add(name)
          places.delete(name)
        } else if (wanted[index]?.link.isLoose === true) left.add(name)
      }
      // Those whose name does not exist are tried by the next one that they may mean.
      if (wanted.every(({ isGuess }) => !isGuess)) break
      open = open.filter(({ files }) => files.some(({ name }) => missing.has(name)))
    }
    reached.push(...next)
    ring = next
  }
  return reached
}
