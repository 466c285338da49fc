import { mayLeadOut } from '../../../src/document/links.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { textOf } from '../../../src/document/text.ts'
import { walkReferences } from '../../../src/document/walk-references.ts'
import { SvcError } from '../../../src/errors.ts'
import { type Fetch, isFinal } from '../../egress/fetch.ts'
import { type Assembled, assembleDocuments } from './assemble.ts'
import { treeLimits } from './tree.ts'

const mostFiles = 200
const atOnce = 6

/**
 * A document at an address with the files that its references lead to, as long as these lie on the same host; each is fetched as the
 * document itself was. One that the host will not give stays a reference that leads nowhere, which is a finding.
 * @throws SvcError `egress-denied`, `fetch-failed`, `source-too-large`, `document-invalid` for a file that is no text
 */
export async function assembleAddress(
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Assembled> {
  const own = textOf(bytes, url)
  if (!mayLeadOut(own)) return { path: url, bytes, faults: [], files: 1 }
  const entry = parseDocument(own, { source: url })
  const { origin } = new URL(url)
  const tooLarge = (what: string, limit: number) => new SvcError('source-too-large', { source: url, what, limit })
  let read = bytes.byteLength
  const text = async (place: string): Promise<string | null> => {
    try {
      const answer = await fetch(place, signal)
      read += answer.bytes.byteLength
      return textOf(answer.bytes, place)
    } catch (error) {
      if (error instanceof SvcError && isFinal(error)) return null
      throw error
    }
  }
  const others = await walkReferences(entry, {
    holds: (place) => place.startsWith(`${origin}/`),
    async read(wanted) {
      const texts: (string | null)[] = []
      for (let from = 0; from < wanted.length; from += atOnce) {
        texts.push(...(await Promise.all(wanted.slice(from, from + atOnce).map(({ place }) => text(place)))))
        if (read > treeLimits.documentBytes) throw tooLarge('bytes of documents', treeLimits.documentBytes)
      }
      return texts
    },
    most: mostFiles,
    tooMany: () => tooLarge('files that refer to each other', mostFiles),
  })
  others.sort((a, b) => (a.source < b.source ? -1 : 1))
  return assembleDocuments(url, bytes, entry, others)
}
