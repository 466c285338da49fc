import { yieldToEventLoop } from '../../db/yield.ts'
import { readJson } from '../../src/document/json-steps.ts'
import { utf8Of } from '../../src/document/text.ts'
import type { AnalysisService } from '../analysis/door.ts'
import { textsAt } from './address.ts'
import { detectArchive, type Reach, type SourceTexts, type Tree, treeOfArchive, treeOfFiles } from '../sources/door.ts'
import type { PayloadSource } from './payload.ts'

// They were counted when the request was read, and were written by this service.
const ownLimits = { maxValues: Number.MAX_SAFE_INTEGER, maxDepth: 3 }

/** What a source turned out to be: one text, or files among which the documents are still to be found. */
export type Opened =
  | { readonly kind: 'text'; readonly texts: SourceTexts }
  | { readonly kind: 'tree'; readonly tree: Tree; readonly path: string | undefined }

const text = (path: string, bytes: Uint8Array<ArrayBuffer>): Opened => ({
  kind: 'text',
  texts: { path, bytes: utf8Of(bytes, path), joins: false, others: [], overlays: [] },
})

/**
 * Opens a source. Bytes that are an archive are one, whatever they are called.
 *
 * @param reader reads what is found at an address
 * @param upload gives what came with the request
 * @throws SvcError `egress-denied`, `fetch-failed`, `git-failed`, `source-refused`, `document-invalid`, and the refusals named `archive-…`
 */
export async function openSource(
  source: PayloadSource,
  { fetch, openRepository }: Reach,
  reader: { readonly analysis: AnalysisService; readonly tenantId: string },
  upload: () => Promise<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): Promise<Opened> {
  switch (source.kind) {
    case 'git':
      return { kind: 'tree', tree: await openRepository(source, signal), path: source.path }
    case 'url': {
      const { bytes } = await fetch(source.url, signal)
      if (detectArchive(bytes) === null)
        return {
          kind: 'text',
          texts: await textsAt(source.url, utf8Of(bytes, source.url), { ...reader, fetch, signal }),
        }
      return { kind: 'tree', tree: await treeOfArchive(source.url, bytes, signal), path: undefined }
    }
    case 'archive':
      return { kind: 'tree', tree: await treeOfArchive(source.name, await upload(), signal), path: undefined }
    case 'files': {
      const files = (await readJson(await upload(), ownLimits, yieldToEventLoop)) as { path: string; content: string }[]
      return { kind: 'tree', tree: treeOfFiles(source.name, files), path: undefined }
    }
    case 'text':
      return text(source.name, await upload())
  }
}
