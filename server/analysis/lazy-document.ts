import type { Document } from '../../src/document/document.ts'
import { readTrusted } from '../../src/document/trusted.ts'
import type { Facts, Subject } from './analysis.ts'

/** A document whose text was read elsewhere: here it is parsed by the first who looks into it. */
export function lazyDocument({ text, source }: Subject, { syntax, ownFormat }: Facts): Document {
  let opened: Document | null = null
  const open = (): Document => (opened ??= readTrusted(text, { source, syntax }))
  return {
    source,
    text,
    syntax,
    format: ownFormat,
    get value() {
      return open().value
    },
    get problems() {
      return open().problems
    },
    exactValue: () => open().exactValue(),
    locate: (path, options) => open().locate(path, options),
    span: (path, options) => open().span(path, options),
    nonStringKeys: () => open().nonStringKeys(),
    keysInOrder: (path) => open().keysInOrder(path),
  }
}
