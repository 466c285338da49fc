/** The documents that the references of a document lead to, wherever it was read from. */
import type { Document } from '../src/document/document.ts'
import { parseDocument } from '../src/document/parse.ts'
import { resolveUri } from '../src/document/reference.ts'
import { SvcError } from '../src/errors.ts'
import { findLinks, type Link } from '../src/import/bundle/links.ts'
import type { SourceText } from './document-source.ts'

const mostFiles = 1000

/** A reference to a file that was not read before. */
interface Wanted {
  readonly place: string
  readonly from: Document
  readonly link: Link
}

const placeOf = (from: string, ref: string): string => resolveUri(from, ref.split('#', 1)[0] ?? '')

function wantedBy(documents: readonly Document[], source: SourceText, known: ReadonlySet<string>): Wanted[] {
  const wanted = new Map<string, Wanted>()
  for (const from of documents)
    for (const link of findLinks(from)) {
      const place = placeOf(from.source, link.ref)
      // Everybody knows the meta-schemas.
      if (known.has(place) || wanted.has(place) || /^https?:\/\/json-schema\.org\/draft[-/]/.test(place)) continue
      if (source.files === null ? !/^[a-z][a-z0-9+.-]*:/i.test(place) : source.files.holds(place))
        wanted.set(place, { place, from, link })
    }
  return [...wanted.values()]
}

const refusal = (source: SourceText, { from, link }: Wanted, reason: string): SvcError => {
  const { line, character } = from.locate(link.path).start
  const name = from.source === source.place ? source.name : (source.files?.nameOf(from.source) ?? from.source)
  return new SvcError('document-invalid', {
    reason: `${name}:${line + 1}:${character + 1} refers to "${link.ref}": ${reason.replace(/\.$/, '')}`,
  })
}

/**
 * Reads the files that references of `first` lead to, directly or through each other; each is known by its place.
 *
 * @param first its `source` is the place of `source`
 * @param missing what becomes of a reference to a file that cannot be read: it is left to be found again, or it is an error.
 *   One below an `$id` is always left: it may be but a name.
 * @throws SvcError `document-invalid` with the place of the reference
 */
export async function readReached(
  first: Document,
  source: SourceText,
  missing: 'leave' | 'refuse',
): Promise<Document[]> {
  const known = new Set([first.source])
  const reached: Document[] = []
  for (let ring: readonly Document[] = [first]; ring.length > 0;) {
    const wanted = wantedBy(ring, source, known)
    for (const { place } of wanted) known.add(place)
    const [one] = wanted
    if (one !== undefined && known.size > mostFiles) {
      if (missing === 'leave') return reached
      throw refusal(source, one, `with it, more than ${mostFiles} files refer to each other`)
    }
    const texts = source.files === null ? wanted.map(() => null) : await source.files.read(wanted.map((it) => it.place))
    const next: Document[] = []
    for (const [index, it] of wanted.entries()) {
      const text = texts[index]
      if (typeof text === 'string') next.push(parseDocument(text, { source: it.place }))
      else if (missing === 'refuse' && it.link.base === '')
        throw refusal(source, it, text?.message ?? 'no other file is stored with it')
    }
    reached.push(...next)
    ring = next
  }
  return reached
}
