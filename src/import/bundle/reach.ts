import type { Document } from '../../document/document.ts'
import { parseDocument } from '../../document/parse.ts'
import { resolveUri } from '../../document/reference.ts'
import { findLinks, type Link } from './links.ts'

/** How many files a document may refer to, directly or through each other, wherever they are read from. */
export const mostReached = 5000

/** A reference to a document that was not read before: `place` is where it has to be. */
export interface Wanted {
  readonly place: string
  readonly from: Document
  readonly link: Link
}

/** How documents are found. */
export interface Reach {
  /** Whether a place is examined here; other places are handled where the reference occurs. */
  holds(place: string): boolean
  /** The texts of places; null for one that is left out. */
  read(wanted: readonly Wanted[]): Promise<readonly (string | null)[]>
  /** How many documents there may be; `surplus` is asked about the first beyond, and where it does not refuse, the search is over. */
  readonly most: number
  surplus(wanted: Wanted): void
}

/**
 * Reads the documents that references of `first` lead to, directly or through each other, ring by ring. Each is known by its place,
 * which is the reference joined to the place of the document that holds it (RFC 3986).
 */
export async function reachDocuments(first: Document, { holds, read, most, surplus }: Reach): Promise<Document[]> {
  const known = new Set([first.source])
  const reached: Document[] = []
  for (let ring: readonly Document[] = [first]; ring.length > 0;) {
    const wanted: Wanted[] = []
    for (const from of ring)
      for (const link of findLinks(from)) {
        const place = resolveUri(from.source, link.ref.split('#', 1)[0] ?? '')
        // Everybody knows the meta-schemas.
        if (known.has(place) || !holds(place) || /^https?:\/\/json-schema\.org\/draft[-/]/.test(place)) continue
        known.add(place)
        wanted.push({ place, from, link })
      }
    const beyond = wanted[most - reached.length]
    if (beyond !== undefined) {
      surplus(beyond)
      return reached
    }
    const texts = wanted.length === 0 ? [] : await read(wanted)
    ring = wanted.flatMap(({ place }, index) => {
      const text = texts[index] ?? null
      return text === null ? [] : [parseDocument(text, { source: place })]
    })
    reached.push(...ring)
  }
  return reached
}
