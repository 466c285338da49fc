import { isMetaSchema } from '../../src/kernel/text.ts'
import { utf8Of } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import { type AnalysisService, type OutputOf, subjectOf } from '../analysis/door.ts'
import { type Fetch, isFinal } from '../egress/door.ts'
import { digestOf } from '../../db/content.ts'
import { type SourceFile, type SourceTexts, treeLimits } from '../sources/door.ts'

const mostFiles = 200
const atOnce = 6

/** Who reads what is at an address. */
export interface AddressReader {
  readonly analysis: AnalysisService
  readonly tenantId: string
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

// The places that documents name, found in an analysis process.
const linksOf = (
  { analysis, tenantId, signal }: AddressReader,
  ring: readonly SourceFile[],
): Promise<OutputOf<'links'>> =>
  analysis.run(
    tenantId,
    'links',
    {},
    ring.map(({ path, bytes }) =>
      subjectOf({ tenantId, digest: digestOf(bytes), bytes, source: path, format: 'auto' }),
    ),
    { signal },
  )

/**
 * A document at an address with the files that its references lead to, as long as these are on the same host; each is fetched as the
 * document itself was. One that the host will not give stays a reference that cannot be resolved, which is a finding.
 * @throws SvcError `egress-denied`, `fetch-failed`, `source-too-large`, `analysis-stopped`, `document-invalid` for a file that is not a text
 */
export async function textsAt(
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
  reader: AddressReader,
): Promise<SourceTexts> {
  const { fetch, signal } = reader
  const { origin } = new URL(url)
  const tooLarge = (what: string, limit: number) => new SvcError('source-too-large', { source: url, what, limit })
  let read = bytes.byteLength
  const fileAt = async (path: string, isValue: boolean): Promise<SourceFile | null> => {
    try {
      const answer = await fetch(path, signal)
      read += answer.bytes.byteLength
      return { path, bytes: utf8Of(answer.bytes, path) }
    } catch (error) {
      // A description is valid without the values of its examples: an image stays where it is.
      if (error instanceof SvcError && (isFinal(error) || (isValue && error.code === 'document-invalid'))) return null
      throw error
    }
  }
  const known = new Set([url])
  const others: SourceFile[] = []
  const fetchAll = async (named: readonly string[], isValue: boolean): Promise<SourceFile[]> => {
    const wanted = named.filter((place) => !known.has(place) && place.startsWith(`${origin}/`) && !isMetaSchema(place))
    for (const place of wanted) known.add(place)
    if (others.length + wanted.length > mostFiles) {
      if (isValue) return []
      throw tooLarge('files that refer to each other', mostFiles)
    }
    const files: SourceFile[] = []
    for (let from = 0; from < wanted.length; from += atOnce) {
      const some = await Promise.all(wanted.slice(from, from + atOnce).map((place) => fileAt(place, isValue)))
      files.push(...some.filter((it) => it !== null))
      if (read > treeLimits.documentBytes) throw tooLarge('bytes of documents', treeLimits.documentBytes)
    }
    others.push(...files)
    return files
  }
  const values = new Set<string>()
  for (let ring: readonly SourceFile[] = [{ path: url, bytes }]; ring.length > 0;) {
    const named = await linksOf(reader, ring)
    for (const place of named.values) values.add(place)
    ring = await fetchAll(named.documents, false)
  }
  // Last: what a document refers to as well is a document, and nothing in the value of an example leads on.
  await fetchAll([...values], true)
  others.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { path: url, bytes, joins: true, others, overlays: [] }
}
