import type { Document } from '../../document/document.ts'
import { type Documents, resolveUri } from '../../document/reference.ts'
import { isObject } from '../../kernel/json.ts'

/** Documents by the paths and the `$id`s under which references may name them. */
export const indexDocuments = (documents: Iterable<Document>): Documents => {
  const index: Record<string, Document> = {}
  for (const document of documents) {
    index[document.source] = document
    if (isObject(document.value) && typeof document.value.$id === 'string')
      index[resolveUri('', document.value.$id).replace(/#$/, '')] ??= document
  }
  return index
}
