import type { Document } from './document.ts'
import { mayBeInexact } from './exact-numbers.ts'
import { detectFormat } from './format.ts'
import type { Json } from '../kernel/json.ts'
import { parseDocument, type ParseOptions } from './parse.ts'

/**
 * Reads a text that was parsed and found valid before it was stored. JSON is read by the native parser alone:
 * positions and problems cost a scan of the text, which happens only when they are requested.
 */
export const readTrusted = (text: string, options: ParseOptions): Document => {
  let scanned: Document | null = null
  const scan = (): Document => (scanned ??= parseDocument(text, options))
  if (options.syntax !== 'json') return scan()
  let value: Json
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json
  } catch {
    return scan()
  }
  return {
    source: options.source,
    text,
    syntax: 'json',
    value,
    format: detectFormat(value),
    get problems() {
      return scan().problems
    },
    exactValue: () => {
      if (!mayBeInexact(text)) return value
      const exact = scan().exactValue()
      return exact === scan().value ? value : exact
    },
    locate: (path, locateOptions) => scan().locate(path, locateOptions),
    span: (path, spanOptions) => scan().span(path, spanOptions),
    countLines: () => scan().countLines(),
    linesAt: (first, last) => scan().linesAt(first, last),
    nonStringKeys: () => scan().nonStringKeys(),
    keysInOrder: (path) => scan().keysInOrder(path),
  }
}
