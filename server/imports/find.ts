/** Finds documents in trees; what is in their files is read in an analysis process. */
import { type AnalysisService, answerFrom, listingOf, type OutputOf } from '../analysis/door.ts'
import { SvcError } from '../../src/errors.ts'
import { readTexts, type Scope, type SourceTexts, type Tree, treeLimits } from '../sources/door.ts'

/** A document of a tree that no other one refers to, and the files that it is made of. */
export type FoundTexts = OutputOf<'gather'>[number]

/** Where documents are looked for, and on whose behalf. */
export interface Search {
  readonly analysis: AnalysisService
  readonly tenantId: string
  readonly tree: Tree
  readonly scope: Scope
  readonly format: string
  readonly signal: AbortSignal
}

const gather = (
  { analysis, tenantId, tree, scope, format, signal }: Search,
  which: 'entry' | 'independent',
  slugs: { readonly nameField: string | undefined } | null,
): Promise<FoundTexts[]> =>
  analysis.run(tenantId, 'gather', { listing: listingOf(tree), scope, format, which, slugs }, [], {
    reply: answerFrom(tree, signal),
    signal,
  })

/**
 * The documents that no other one refers to. Raises `source-empty`, `source-too-large`, `analysis-stopped`.
 * @param slugs asks for the slugs that they propose
 */
export const findAll = (search: Search, slugs: { readonly nameField: string | undefined } | null) =>
  gather(search, 'independent', slugs)

/**
 * Reads a document that was found.
 * @throws SvcError why it cannot be made of its files
 */
export async function textsOf(tree: Tree, { path, others, refusal }: FoundTexts): Promise<SourceTexts> {
  if (refusal !== null) throw new SvcError(refusal.code, refusal.detail)
  const texts = await readTexts(tree, path, others)
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
export async function findOne(search: Search): Promise<SourceTexts> {
  const [found] = await gather(search, 'entry', null)
  if (found === undefined) throw new Error('a search for one document found none')
  return textsOf(search.tree, found)
}
