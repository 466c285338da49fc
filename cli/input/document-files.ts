/** The documents that the references of a document lead to, wherever it was read from. */
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import { mostReached, reachDocuments, type Wanted } from '../../src/import/bundle/reach.ts'
import type { SourceText } from './document-source.ts'

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
export const readReached = (first: Document, source: SourceText, missing: 'leave' | 'refuse'): Promise<Document[]> => {
  const { files } = source
  return reachDocuments(first, {
    holds: (place) => files?.holds(place) ?? !/^[a-z][a-z0-9+.-]*:/i.test(place),
    async read(wanted) {
      const texts = files === null ? [] : await files.read(wanted.map(({ place }) => place))
      return wanted.map((it, index) => {
        const text = texts[index]
        if (typeof text === 'string') return text
        if (missing === 'leave' || it.link.base !== '') return null
        throw refusal(source, it, text?.message ?? 'no other file is stored with it')
      })
    },
    most: mostReached,
    surplus(it) {
      if (missing === 'refuse') throw refusal(source, it, `with it, more than ${mostReached} files refer to each other`)
    },
  })
}
