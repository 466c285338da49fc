import type { Document } from '../../document/document.ts'
import { isExact } from '../../document/exact.ts'
import type { Json, Path } from '../../kernel/json.ts'
import { getPath } from '../../kernel/pointer.ts'
import { bundleDocument } from './bundle.ts'
import type { BundledDocument, Written } from './written.ts'

/**
 * A document with everything that it refers to, as one.
 *
 * @param others the documents that its references reach, by the places under which these name them
 * @param nameOf the name of a place in the document
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
    exactValue: () => withExactNumbers(value, originOf),
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
    files: [entry, ...others].map((it) => ({ ...it, source: nameOf(it.source) })),
    originOf,
  }
  return joined
}

/** Doubles of fewer digits are what was written. */
const isPrecise = (value: number): boolean => value !== 0 && String(value).replace(/e.*$/, '').length < 15

/** The joined value with the exact numbers of the documents that it is made of. */
function withExactNumbers(value: Json, originOf: (path: Path) => Written): Json {
  const exact = new Map<Document, Json>()
  const path: (string | number)[] = []
  const visit = (node: Json): Json => {
    if (typeof node === 'number' && !isPrecise(node)) {
      const origin = originOf(path)
      let whole = exact.get(origin.document)
      if (whole === undefined) exact.set(origin.document, (whole = origin.document.exactValue()))
      const written = whole === origin.document.value ? undefined : getPath(whole, origin.path)
      return isExact(written) ? written : node
    }
    if (typeof node !== 'object' || node === null) return node
    let changed = false
    const entries = Object.entries(node).map(([key, it]): [string, Json] => {
      path.push(Array.isArray(node) ? Number(key) : key)
      const made = visit(it)
      path.pop()
      changed ||= made !== it
      return [key, made]
    })
    if (!changed) return node
    return Array.isArray(node) ? entries.map(([, it]) => it) : Object.fromEntries(entries)
  }
  return visit(value)
}
