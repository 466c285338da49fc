/** The documents that the references of a document lead to, wherever it was read from. */
import type { Document } from '../../src/document/document.ts'
import type { Link } from '../../src/document/links.ts'
import { mostReferenced } from '../../src/document/most-referenced.ts'
import { walkReferences, type Wanted } from '../../src/document/referenced-documents.ts'
import { SvcError, type Code } from '../../src/errors.ts'
import type { SourceText } from './document-source.ts'

// Where nothing can be read at all: the reference to it cannot be resolved.
const missing: ReadonlySet<Code> = new Set([
  'file-not-found',
  'file-is-folder',
  'input-unreadable',
  'fetch-failed',
  'egress-denied',
  'offline',
  'host-not-allowed',
])

const reasonOf = (error: SvcError): string =>
  error.code === 'document-invalid' ? (error as SvcError<'document-invalid'>).detail.reason : error.message

const refusal = (from: string, { from: document, link }: Wanted, reason: string): SvcError => {
  const { line, character } = document.locate(link.path).start
  return new SvcError('document-invalid', {
    reason: `${from}:${line + 1}:${character + 1} refers to "${link.ref}": ${reason.replace(/\.$/, '')}`,
  })
}

/** What becomes of a reference to a file that does not exist: it is left, to be found again, or it is an error. */
export interface Following {
  readonly missing: 'leave' | 'refuse'
  linksOf?(document: Document): readonly Link[]
}

/**
 * Reads the files that references of `first` lead to, directly or through each other. What exists and is not a text is an error
 * wherever it is found; one below an `$id` is always left where it does not exist, because it may be but a name, and so is one in data.
 *
 * @param first the document of `source`; the others are known by their references joined to its `source`
 * @throws SvcError `document-invalid` with the place of the reference
 */
export const readReferenced = (
  first: Document,
  source: Pick<SourceText, 'name' | 'place' | 'files'>,
  { missing: absent, linksOf }: Following,
): Promise<Document[]> => {
  const { files } = source
  const nameOf = ({ from }: Wanted): string => {
    if (from === first) return source.name
    return first.source === source.place ? (files?.nameOf(from.source) ?? from.source) : from.source
  }
  return walkReferences(first, {
    place: source.place,
    holds: (place) => files?.holds(place) ?? !/^[a-z][a-z0-9+.-]*:/i.test(place),
    async read(wanted) {
      const texts = files === null ? [] : await files.read(wanted.map(({ place }) => place))
      return wanted.map((entry, index) => {
        const text = texts[index]
        if (typeof text === 'string') return text
        const isMissing = text === undefined || missing.has(text.code)
        if (entry.link.isLoose || (isMissing && (entry.isGuess || absent === 'leave' || entry.link.base !== '')))
          return null
        throw refusal(nameOf(entry), entry, text === undefined ? 'no other file is stored with it' : reasonOf(text))
      })
    },
    ...(linksOf === undefined ? {} : { linksOf }),
    most: mostReferenced,
    tooMany: (it) => refusal(nameOf(it), it, `with it, more than ${mostReferenced} files refer to each other`),
  })
}
