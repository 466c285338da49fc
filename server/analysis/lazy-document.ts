import type { Document } from '../../src/document/document.ts'
import { readTrusted } from '../../src/document/trusted.ts'
import type { Json } from '../../src/document/json.ts'
import type { Facts, Opened, Subject } from './analysis.ts'

/**
 * A document whose text was read elsewhere: here it is parsed when something of it is first asked for.
 * @param known its value as JSON, which is faster to parse where only the value is asked for, and its problems
 */
export function lazyDocument(
  { text, source }: Pick<Subject, 'text' | 'source'>,
  { syntax, ownFormat }: Pick<Facts, 'syntax' | 'ownFormat'>,
  known?: Pick<Opened, 'json' | 'problems'>,
): Document {
  let opened: Document | null = null
  let value: Json | undefined
  const open = (): Document => (opened ??= readTrusted(text, { source, syntax }))
  return {
    source,
    text,
    syntax,
    format: ownFormat,
    get value() {
      if (opened !== null || known === undefined) return open().value
      value ??= JSON.parse(known.json) as Json
      return value
    },
    get problems() {
      return known?.problems ?? open().problems
    },
    exactValue: () => open().exactValue(),
    locate: (path, options) => open().locate(path, options),
    span: (path, options) => open().span(path, options),
    nonStringKeys: () => open().nonStringKeys(),
    keysInOrder: (path) => open().keysInOrder(path),
  }
}
