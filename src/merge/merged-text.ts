import { isEqual } from '../anchors/equal-nodes.ts'
import type { Document } from '../document/document.ts'
import type { Json } from '../kernel/json.ts'
import { rewriteDocument } from '../patch/rewrite.ts'

/**
 * The text of mine after a merge. Where mine is still what both began with and takes all of theirs, it is the text of theirs, with
 * its comments and layout; else it is mine with the places edited that changed.
 * @param value what the merge made, as `mergeDocuments` has it
 */
export const mergedText = (base: Document, mine: Document, theirs: Document, value: Json): string =>
  mine.text === base.text && mine.syntax === theirs.syntax && isEqual(value, theirs.value)
    ? theirs.text
    : rewriteDocument(mine, value).text
