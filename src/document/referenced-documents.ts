/**
 * The walk from a document to all documents that it refers to; who calls it says how these are read, and keeps them all. An
 * import of many files has a walk of its own (`server/sources/reader.ts`): it also finds files by their `$id`, and
 * reads large trees again instead of keeping them.
 */
import type { Document } from './document.ts'
import { findLinks, type Link } from './links.ts'
import { parseDocument } from './parse.ts'
import { resolveUri } from './references-in-document.ts'

/** A reference to a document that was not read before. */
export interface Wanted {
  /** The reference joined to the `source` of the document that holds it (RFC 3986): what the document will be known by. */
  readonly name: string
  /** The reference joined to the place of that document: where it is read. */
  readonly place: string
  readonly from: Document
  readonly link: Link
}

/** How documents are found. */
export interface ReferenceReader {
  /** Where the first document is, if its `source` is only a name for it. */
  readonly place?: string
  /** Whether a place can be read at all; other places are handled where the reference occurs. */
  holds(place: string): boolean
  /** The texts of places; null for one that is left out. */
  read(wanted: readonly Wanted[]): Promise<readonly (string | null)[]>
  /** The document of a text; parsed by default. For those who have parsed it before. */
  parse?(text: string, name: string): Document
  /** The links of a document; `findLinks` by default. */
  linksOf?(document: Document): readonly Link[]
  /** How many documents there may be. */
  readonly most: number
  /** The error for the first document beyond `most`. */
  tooMany(wanted: Wanted): Error
}

/**
 * Reads the documents that references of `first` lead to, directly or through each other, ring by ring.
 * @returns each with the reference that leads to it as its `source`, in the order in which they were found
 * @throws what `read` and `tooMany` raise
 */
export async function walkReferences(first: Document, reader: ReferenceReader): Promise<Document[]> {
  const { holds, read, most, tooMany, linksOf = findLinks } = reader
  const parse = reader.parse ?? ((text: string, source: string) => parseDocument(text, { source }))
  const places = new Map([[first.source, reader.place ?? first.source]])
  const reached: Document[] = []
  for (let ring: readonly Document[] = [first]; ring.length > 0;) {
    const wanted: Wanted[] = []
    for (const from of ring)
      for (const link of linksOf(from)) {
        const file = link.ref.split('#', 1)[0] ?? ''
        const name = resolveUri(from.source, file)
        const place = resolveUri(places.get(from.source) ?? from.source, file)
        // Everybody knows the meta-schemas.
        if (places.has(name) || !holds(place) || /^https?:\/\/json-schema\.org\/draft[-/]/.test(place)) continue
        places.set(name, place)
        wanted.push({ name, place, from, link })
      }
    const beyond = wanted[most - reached.length]
    if (beyond !== undefined) throw tooMany(beyond)
    const texts = wanted.length === 0 ? [] : await read(wanted)
    ring = wanted.flatMap(({ name }, index) => {
      const text = texts[index] ?? null
      return text === null ? [] : [parse(text, name)]
    })
    reached.push(...ring)
  }
  return reached
}
