/**
 * Edits of a text that leave everything else as its author wrote it: comments, the order of keys, quotes, indentation.
 * Each answers null where the text gives no safe place for it.
 */
import type { Document } from './document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import { serializeYaml } from './serialize.ts'
import type { Edit } from '../kernel/edits.ts'
import { isBlank, lineEnd, lineStart } from '../kernel/text.ts'

const lineBreaks = new WeakMap<Document, string>()

/** How the lines of a document end; looked for once, because every fix asks. */
export const lineBreakOf = (document: Document): string => {
  let known = lineBreaks.get(document)
  if (known === undefined) lineBreaks.set(document, (known = document.text.includes('\r\n') ? '\r\n' : '\n'))
  return known
}
/** A node in brackets: all of JSON, and what YAML calls flow style. */
const isFlow = ({ text }: Document, start: number): boolean => text[start] === '{' || text[start] === '['

// Plain only where it cannot be anything but a text, in a key or a value, in block or flow style.
const isPlain = (value: string): boolean =>
  // Three numbers with points are not a number.
  /^\d+\.\d+\.\d+$/.test(value) ||
  (/^[A-Za-z_/$][\w/{}.+()@$-]*(?: [\w/.+()@$-]+)*$/.test(value) &&
    !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(value))

// An address has a colon, but none that ends a key.
const isAddress = (value: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[\w.~:/?&=%+-]*[\w/~-]$/i.test(value)

// Three numbers with dots between them are a text.
const isVersion = (value: string): boolean => /^\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/.test(value)

function writeScalar(document: Document, value: string | number | boolean, before: string): string {
  if (typeof value !== 'string') return String(value)
  if (document.syntax === 'json' || before.startsWith('"')) return JSON.stringify(value)
  if (before.startsWith("'") && !/[\n\r\t]/.test(value)) return `'${value.replaceAll("'", "''")}'`
  return (isPlain(value) || isAddress(value) || isVersion(value)) && !/[{}[\],]/.test(value)
    ? value
    : JSON.stringify(value)
}

/** Replaces a scalar, in the quotes that it has. */
export function setScalar(document: Document, path: Path, value: string | number | boolean): Edit | null {
  const span = document.span(path)
  if (span === null) return null
  const before = document.text.slice(span.start, span.end)
  const old = getPath(document.value, path)
  // A block scalar keeps line breaks by its indentation: nothing that a replacement could keep.
  if (typeof old === 'object' || /^[|>&*!]/.test(before)) return null
  return { ...span, text: writeScalar(document, value, before) }
}

/** Replaces a key. */
export function renameKey(document: Document, path: Path, key: string): Edit | null {
  const span = document.span(path, { key: true })
  if (span === null) return null
  const before = document.text.slice(span.start, span.end)
  return /^[&*!?]/.test(before) ? null : { ...span, text: writeScalar(document, key, before) }
}

const parentOf = (path: Path): Path => path.slice(0, -1)

const counts = new WeakMap<JsonObject, number>()

/** How many entries a map or a sequence has; counted once, because every fix of one of them asks. */
export const countOf = (document: Document, path: Path): number => {
  const value = getPath(document.value, path)
  if (!isObject(value)) return Array.isArray(value) ? value.length : 0
  let known = counts.get(value)
  if (known === undefined) counts.set(value, (known = Object.keys(value).length))
  return known
}

function removeFlow({ text }: Document, from: number, to: number): Edit {
  const after = /^\s*,[ \t]*(?:\r?\n)?/.exec(text.slice(to))
  if (after !== null) {
    // With the comma behind it; where it has its lines to itself, whole lines.
    const start =
      isBlank(text.slice(lineStart(text, from), from)) && after[0].includes('\n') ? lineStart(text, from) : from
    return { start, end: to + after[0].length, text: '' }
  }
  let before = from
  while (before > 0 && /\s/.test(text[before - 1]!)) before--
  return { start: text[before - 1] === ',' ? before - 1 : from, end: to, text: '' }
}

/**
 * Takes an entry of a map, or an item of a sequence, out. The last one takes its container with it as long as `prune`
 * levels allow.
 */
export function removeEntry(document: Document, path: Path, prune = 0): Edit | null {
  const { text } = document
  const up = parentOf(path)
  if (path.length === 0) return null
  const [span, key, parent] = [document.span(path), document.span(path, { key: true }), document.span(up)]
  if (span === null || parent === null || /^[&]/.test(text.slice(span.start, span.end))) return null
  if (countOf(document, up) === 1) {
    if (prune > 0) return removeEntry(document, up, prune - 1)
    return null
  }
  const from = key?.start ?? span.start
  if (isFlow(document, parent.start)) return removeFlow(document, from, span.end)
  const begin = lineStart(text, from)
  const lead = text.slice(begin, from)
  const end = Math.min(text.length, lineEnd(text, Math.max(from, span.end - 1)) + 1)
  if (key === null ? /^[ \t]*-[ \t]+$/.test(lead) : isBlank(lead)) return { start: begin, end, text: '' }
  // The first key behind "- ": the next one takes its place.
  const next = text.slice(end).search(/[^\s]/)
  if (key === null || !/^[ \t]*-[ \t]+$/.test(lead) || next === -1) return null
  const at = end + next
  const isSibling = at - lineStart(text, at) === from - begin && at < parent.end
  return isSibling ? { start: from, end: at, text: '' } : null
}

const indented = (lines: string, indent: string): string =>
  lines
    .split('\n')
    .map((line, index) => (index === 0 || line === '' ? line : indent + line))
    .join('\n')

/**
 * A value in brackets, in YAML without quotes where they are not needed.
 * @param indent of the line that it begins in; null writes it on one line
 */
export function writeFlow(document: Document, value: Json, indent: string | null): string {
  if (document.syntax === 'json' && indent !== null) return indented(JSON.stringify(value, null, 2), indent)
  if (document.syntax === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((it: Json) => writeFlow(document, it, null)).join(', ')}]`
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, it]) => `${writeScalar(document, key, '')}: ${writeFlow(document, it, null)}`,
    )
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
  }
  return value === null ? 'null' : writeScalar(document, value as string | number | boolean, '')
}

/** A key as it is written ahead of a colon. */
export const writeKey = (document: Document, key: string): string =>
  document.syntax === 'json' ? JSON.stringify(key) : writeScalar(document, key, '')

function addFlow(
  document: Document,
  container: Path,
  last: Path | null,
  entry: (indent: string | null) => string,
): Edit | null {
  const { text } = document
  const span = document.span(container)
  if (span === null) return null
  if (last === null) {
    const pad = text[span.start] === '{' && document.syntax === 'yaml' ? ' ' : ''
    return { start: span.start + 1, end: span.end - 1, text: `${pad}${entry(null)}${pad}` }
  }
  const [child, key] = [document.span(last), document.span(last, { key: true })]
  if (child === null) return null
  const from = key?.start ?? child.start
  const lead = text.slice(lineStart(text, from), from)
  const own = isBlank(lead) && lineStart(text, from) > span.start
  // Written without spaces, it stays without.
  const tight = document.syntax === 'json' && !/[,:]\s/.test(text.slice(span.start, span.end))
  const between = own ? `,${lineBreakOf(document)}${lead}` : tight ? ',' : ', '
  const put = `${between}${entry(own ? lead : null)}`
  return { start: child.end, end: child.end, text: put.replaceAll(/\r?\n/g, lineBreakOf(document)) }
}

// Behind the last line of a block node, its comment included.
function behind(document: Document, path: Path): number | null {
  const span = document.span(path)
  if (span === null) return null
  const { text } = document
  const key = document.span(path, { key: true })
  const last = Math.max(key?.end ?? span.start, text.slice(0, span.end).trimEnd().length)
  const end = lineEnd(text, last)
  return text[end - 1] === '\r' ? end - 1 : end
}

const columnOf = (text: string, at: number): string => ' '.repeat(at - lineStart(text, at))

/** Adds an entry behind the last one of a map. */
export function addEntry(document: Document, container: Path, key: string, value: Json): Edit | null {
  const { text } = document
  const span = document.span(container)
  const map = getPath(document.value, container)
  if (span === null || !isObject(map) || Object.hasOwn(map, key)) return null
  const lastKey = document.keysInOrder(container).at(-1)
  const last = lastKey === undefined ? null : [...container, lastKey]
  if (isFlow(document, span.start))
    return addFlow(
      document,
      container,
      last,
      (indent) => `${writeKey(document, key)}: ${writeFlow(document, value, indent)}`,
    )
  const first = document.span([...container, document.keysInOrder(container)[0] ?? ''], { key: true })
  const at = last === null ? null : behind(document, last)
  if (first === null || at === null || lastKey === '<<') return null
  const indent = columnOf(text, first.start)
  const body = indented(serializeYaml({ [key]: value }).trimEnd(), indent)
  return {
    start: at,
    end: at,
    text: `${lineBreakOf(document)}${indent}${body}`.replaceAll(/\r?\n/g, lineBreakOf(document)),
  }
}

// The first item of an empty list has no comma before it.
const appending = (edit: Edit | null, last: Path | null): Edit | null =>
  edit === null || last === null ? edit : { ...edit, appends: true }

/** Adds an item behind the last one of a sequence. */
export function addItem(document: Document, container: Path, value: Json): Edit | null {
  const { text } = document
  const span = document.span(container)
  const list = getPath(document.value, container)
  if (span === null || !Array.isArray(list)) return null
  const last = list.length === 0 ? null : [...container, list.length - 1]
  if (isFlow(document, span.start))
    return appending(
      addFlow(document, container, last, (indent) => writeFlow(document, value, indent)),
      last,
    )
  const item = last === null ? null : document.span(last)
  const at = last === null ? null : behind(document, last)
  if (item === null || at === null) return null
  const dash = /^([ \t]*)-[ \t]+$/.exec(text.slice(lineStart(text, item.start), item.start))
  if (dash === null) return null
  const indent = dash[1] ?? ''
  const body = indented(serializeYaml([value]).trimEnd(), indent)
  const put = `${lineBreakOf(document)}${indent}${body}`.replaceAll(/\r?\n/g, lineBreakOf(document))
  return { start: at, end: at, text: put, appends: true }
}
