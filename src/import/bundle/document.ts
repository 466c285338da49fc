import type { Document } from '../../document/document.ts'
import type { Path } from '../../document/json.ts'
import { bundleDocument } from './bundle.ts'
import type { BundledDocument, Written } from './written.ts'

/**
 * A document with everything that it refers to, as one.
 *
 * @param others the documents that its references reach, by the places under which these name them
 * @param nameOf what a place is called when the document speaks of it
 */
export function joinDocuments(
  entry: Document,
  others: readonly Document[],
  nameOf: (place: string) => string,
): Document {
  // What has no name of its own is a schema, as everywhere in a comparison.
  const format = entry.format ?? { kind: 'json-schema', version: '2020-12' }
  const bundle = bundleDocument({ ...entry, format }, others)
  if (bundle === null) return { ...entry, source: nameOf(entry.source) }
  const { value } = bundle
  const originOf = (path: Path): Written => {
    const origin = bundle.originOf(path)
    return { source: nameOf(origin.document.source), path: origin.path, document: origin.document }
  }
  const joined: BundledDocument = {
    ...entry,
    source: nameOf(entry.source),
    value,
    // All words of all files, for those who look whether a word occurs at all.
    text: [entry, ...others].map(({ text }) => text).join('\n'),
    locate: (path, options) => {
      const origin = originOf(path)
      return origin.document.locate(origin.path, options)
    },
    span: () => null,
    keysInOrder: (path) => {
      const origin = originOf(path)
      return origin.document.keysInOrder(origin.path)
    },
    own: entry.value,
    originOf,
  }
  return joined
}
