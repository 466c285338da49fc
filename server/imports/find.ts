/** Finds documents in trees; what is in their files is read in an analysis process. */
import type { RequestedOverlay, SentOverlay } from '../../src/api/imports.ts'
import { digestOf } from '../../db/content.ts'
import { type AnalysisService, answerFrom, listingOf, type OutputOf, subjectOf } from '../analysis/door.ts'
import { SvcError } from '../../src/errors.ts'
import { readTexts, type Scope, type SourceFile, type SourceTexts, type Tree, treeLimits } from '../sources/door.ts'

/** A document of a tree that no other one refers to, and the files that it is made of. */
export type FoundTexts = OutputOf<'gather'>[number]

/** Where documents are looked for, and on whose behalf. */
export interface Search {
  readonly analysis: AnalysisService
  readonly tenantId: string
  readonly tree: Tree
  readonly scope: Scope
  readonly format: string
  /** Overlays that are applied behind those of a `svc.yaml` of the tree. */
  readonly overlays?: readonly RequestedOverlay[]
  readonly signal: AbortSignal
}

function gather(
  { analysis, tenantId, tree, scope, format, overlays = [], signal }: Search,
  which: 'entry' | 'independent',
  slugs: { readonly nameField: string | undefined } | null,
): Promise<FoundTexts[]> {
  const sent = overlays.filter((it) => 'content' in it).map(sentOverlay)
  let taken = 0
  const named = overlays.map((it) => ('path' in it ? it.path : taken++))
  const subjects = sent.map(({ path, bytes }) =>
    subjectOf({ tenantId, digest: digestOf(bytes), bytes, source: path, format: 'auto' }),
  )
  const asked = { listing: listingOf(tree), scope, format, which, slugs, overlays: named }
  return analysis.run(tenantId, 'gather', asked, subjects, { reply: answerFrom(tree, signal), signal })
}

/** An overlay that came with a request, as a file. */
const sentOverlay = ({ name, content }: SentOverlay): SourceFile => ({
  path: name ?? 'overlay',
  bytes: new TextEncoder().encode(content),
})

/** A document that is no file of a tree, with the overlays of its request. */
export const withOverlays = (texts: SourceTexts, asked: readonly RequestedOverlay[]): SourceTexts => ({
  ...texts,
  overlays: asked.flatMap((it) => ('content' in it ? [sentOverlay(it)] : [])),
})

/** The overlays of a document in the order in which they are applied: those of the tree, and between them those of the request. */
function inOrder(fromTree: readonly SourceFile[], asked: readonly RequestedOverlay[]): readonly SourceFile[] {
  const named = fromTree.length - asked.filter((it) => 'path' in it).length
  const rest = fromTree.slice(named)
  return [...fromTree.slice(0, named), ...asked.flatMap((it) => ('path' in it ? rest.splice(0, 1) : [sentOverlay(it)]))]
}

/**
 * The documents that no other one refers to. Raises `source-empty`, `source-too-large`, `analysis-stopped`.
 * @param slugs asks for the slugs that they propose
 */
export const findAll = (search: Search, slugs: { readonly nameField: string | undefined } | null) =>
  gather(search, 'independent', slugs)

/** A document that was found, and every other file of the tree that it was made of: those that it refers to, its overlays, the `svc.yaml` that names these. */
export interface FoundSource extends SourceTexts {
  readonly madeOf: readonly string[]
}

const madeOf = ({ others, overlays }: FoundTexts, projectFile: string | null): readonly string[] => [
  ...new Set([...others, ...overlays, ...(projectFile === null ? [] : [projectFile])]),
]

/**
 * Reads a document that was found.
 * @throws SvcError why it cannot be made of its files
 */
export async function textsOf(
  tree: Tree,
  found: FoundTexts,
  asked: readonly RequestedOverlay[] = [],
): Promise<FoundSource> {
  const { path, others, overlays, projectFile, refusal } = found
  if (refusal !== null) throw new SvcError(refusal.code, refusal.detail)
  const read = await readTexts(tree, path, { others, overlays })
  const texts = { ...read, overlays: inOrder(read.overlays, asked), madeOf: madeOf(found, projectFile) }
  const bytes = texts.others.reduce((sum, it) => sum + it.bytes.byteLength, texts.bytes.byteLength)
  if (bytes <= treeLimits.documentBytes * 4) return texts
  throw new SvcError('source-too-large', {
    source: tree.name,
    what: 'bytes of documents',
    limit: treeLimits.documentBytes,
  })
}

/**
 * The one document that is meant.
 * @throws SvcError `source-empty`, `source-ambiguous`, and what reading it refuses
 */
export const findOne = async (search: Search): Promise<FoundSource> =>
  textsOf(search.tree, await findEntry(search), search.overlays)

/**
 * The same before its files are read.
 * @throws SvcError `source-empty`, `source-ambiguous`
 */
export async function findEntry(search: Search): Promise<FoundTexts> {
  const [found] = await gather(search, 'entry', null)
  if (found === undefined) throw new Error('a search for one document found none')
  return found
}
