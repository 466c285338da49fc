import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'

/** A document that is parsed when anything but its name and its text is needed. */
export function lazyDocument(text: string, source: string): Document {
  let parsed: Document | null = null
  const whole = (): Document => (parsed ??= parseDocument(text, { source }))
  return {
    source,
    text,
    get syntax() {
      return whole().syntax
    },
    get value() {
      return whole().value
    },
    get format() {
      return whole().format
    },
    get problems() {
      return whole().problems
    },
    exactValue: () => whole().exactValue(),
    locate: (path, options) => whole().locate(path, options),
    span: (path, options) => whole().span(path, options),
    countLines: () => whole().countLines(),
    linesAt: (first, last) => whole().linesAt(first, last),
    nonStringKeys: () => whole().nonStringKeys(),
    keysInOrder: (path) => whole().keysInOrder(path),
  }
}
