/** The edits that give a container of a text other entries: what stays keeps its characters, comments and order. */
import type { Document } from '../document/document.ts'
import { lineBreakOf, setScalar, writeFlow, writeKey } from '../document/node-edits.ts'
import { serializeYaml } from '../document/serialize.ts'
import type { Edit } from '../kernel/edits.ts'
import { isScalar, type Json, type Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import { isBlank, lineEnd, lineStart } from '../kernel/text.ts'

/** An entry of a map or an item of a list as it is written, with its key. */
export interface Part {
  readonly path: Path
  readonly isKept: boolean
}

/** What is put behind a part of a container. */
export interface Insertion {
  /** The position of the part; -1 is ahead of all. */
  readonly behind: number
  /** Set for an entry of a map. */
  readonly key: string | null
  readonly value: Json
}

interface Span {
  readonly start: number
  readonly end: number
}

const dash = /^[ \t]*-[ \t]+$/
const isOpen = (char: string | undefined): boolean => char === '{' || char === '['
const isEmpty = (value: Json): boolean =>
  typeof value === 'object' && value !== null && (Array.isArray(value) ? value.length : Object.keys(value).length) === 0

const leadOf = (text: string, at: number): string => text.slice(lineStart(text, at), at)
const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(leadOf(text, at))?.[0] ?? ''
const indented = (text: string, by: string): string => text.replaceAll(/\n(?!\n|$)/g, `\n${by}`)

/** From the key to the end of the value; null where the text has no such place of its own. */
function spanOf(document: Document, path: Path): Span | null {
  const span = document.span(path)
  const key = typeof path.at(-1) === 'string' ? document.span(path, { key: true }) : span
  if (span === null || key === null || key.start > span.end) return null
  const start = Math.min(key.start, span.start)
  const written = document.text.slice(start, span.end)
  return { start, end: Math.max(key.end, start + written.trimEnd().length) }
}

/** How the entries of a container in brackets are written. */
interface FlowStyle {
  /** Of one level; null: its entries share a line. */
  readonly unit: string | null
  /** As all of JSON is, and what somebody wrote as JSON in YAML. */
  readonly isQuoted: boolean
}

/** A value in brackets, in the indentation and the quotes of what is around it. */
function writtenFlow(document: Document, value: Json, indent: string, { unit, isQuoted }: FlowStyle): string {
  if (!isQuoted) return writeFlow(document, value, null)
  if (unit !== null) return indented(JSON.stringify(value, null, unit), indent)
  return document.syntax === 'json' ? JSON.stringify(value) : spaced(value)
}

const spaced = (value: Json): string => {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, it]) => `${JSON.stringify(key)}: ${spaced(it)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** How deep one level is indented in a container in brackets; null where its entries share a line. */
function unitOf({ text }: Document, container: Span, first: Span): string | null {
  const lead = leadOf(text, first.start)
  if (lineStart(text, first.start) <= container.start || !isBlank(lead)) return null
  const unit = lead.slice(indentAt(text, container.start).length)
  return unit === '' ? null : unit
}

function editsOfFlow(
  document: Document,
  container: Span,
  spans: readonly Span[],
  parts: readonly Part[],
  insertions: readonly Insertion[],
): readonly Edit[] | null {
  const { text, syntax } = document
  const edits: Edit[] = []
  const unit = unitOf(document, container, spans[0]!)
  const lead = unit === null ? '' : leadOf(text, spans[0]!.start)
  const isTight =
    syntax === 'json' && !/[,:]\s/.test(text.slice(container.start, Math.min(container.end, container.start + 2000)))
  const gap = isTight ? '' : ' '
  const between = unit === null ? `,${gap}` : `,${lineBreakOf(document)}${lead}`
  const isQuoted = syntax === 'json' || text[spans[0]!.start] === '"'
  const written = ({ key, value }: Insertion): string => {
    const name = key === null ? '' : `${isQuoted ? JSON.stringify(key) : writeKey(document, key)}:${gap}`
    return (name + writtenFlow(document, value, lead, { unit, isQuoted })).replaceAll(/\r?\n/g, lineBreakOf(document))
  }
  for (const it of insertions) {
    const at = it.behind < 0 ? spans[0]!.start : spans[it.behind]!.end
    edits.push({ start: at, end: at, text: it.behind < 0 ? written(it) + between : between + written(it) })
  }
  for (let from = 0; from < parts.length; from++) {
    if (parts[from]!.isKept) continue
    let to = from
    while (to < parts.length && !parts[to]!.isKept) to++
    const next = spans[to]
    const begin = next === undefined ? spans[from - 1]!.end : spans[from]!.start
    edits.push({ start: begin, end: next?.start ?? spans[to - 1]!.end, text: '' })
    from = to
  }
  return edits
}

/** Where the comments above a line begin: they are of its entry. Without indentation they are of the file. */
function aboveComments(text: string, line: number, indent: string): number {
  if (indent === '') return line
  let at = line
  while (at > 0) {
    const above = lineStart(text, at - 1)
    if (!text.slice(above, at).startsWith(`${indent}#`)) break
    at = above
  }
  return at
}

function insertionInBlock(
  document: Document,
  spans: readonly Span[],
  firstKept: number,
  { behind, key, value }: Insertion,
): Edit | null {
  const { text } = document
  const isHead = behind < 0
  const span = spans[isHead ? firstKept : behind]!
  const lead = leadOf(text, span.start)
  const isItem = key === null
  // A key behind a dash is indented as the text behind it.
  if (isItem ? !dash.test(lead) : !isBlank(lead) && !dash.test(lead.replace(/^(?:[ \t]*-[ \t]+)+(?=-)/, '')))
    return null
  const indent = isItem ? (/^[ \t]*/.exec(lead)?.[0] ?? '') : ' '.repeat(lead.length)
  const body = indented(serializeYaml(isItem ? [value] : { [key]: value }).trimEnd(), indent)
  const at = isHead ? aboveComments(text, lineStart(text, span.start), indent) : lineEnd(text, span.end)
  const put = isHead ? `${indent}${body}\n` : `\n${indent}${body}`
  const end = !isHead && text[at - 1] === '\r' ? at - 1 : at
  return { start: end, end, text: put.replaceAll('\n', lineBreakOf(document)) }
}

function editsOfBlock(
  document: Document,
  spans: readonly Span[],
  parts: readonly Part[],
  insertions: readonly Insertion[],
): readonly Edit[] | null {
  const { text } = document
  const edits: Edit[] = []
  const firstKept = parts.findIndex(({ isKept }) => isKept)
  for (const it of insertions) {
    const edit = insertionInBlock(document, spans, firstKept, it)
    if (edit === null) return null
    edits.push(edit)
  }
  // Keys ahead of the first one that stays, the first of them behind a dash: the one that stays takes its place.
  const isItem = typeof parts[0]!.path.at(-1) === 'number'
  let from = 0
  if (firstKept > 0 && !isItem && dash.test(leadOf(text, spans[0]!.start))) {
    edits.push({ start: spans[0]!.start, end: spans[firstKept]!.start, text: '' })
    from = firstKept
  }
  for (let at = from; at < parts.length; at++) {
    if (parts[at]!.isKept) continue
    const { start, end } = spans[at]!
    const lead = leadOf(text, start)
    if (isItem ? !dash.test(lead) : !isBlank(lead)) return null
    edits.push({ start: lineStart(text, start), end: Math.min(text.length, lineEnd(text, end) + 1), text: '' })
  }
  return edits
}

/**
 * The edits that take entries out of a container and put others in. At least one entry stays.
 * @param parts its entries in the order of the text
 * @returns null where the text gives no safe place for it
 */
export function containerEdits(
  document: Document,
  container: Path,
  parts: readonly Part[],
  insertions: readonly Insertion[],
): readonly Edit[] | null {
  const around = document.span(container)
  const spans = parts.map(({ path }) => spanOf(document, path))
  if (around === null || spans.length === 0 || !parts.some(({ isKept }) => isKept)) return null
  if (spans.some((it, at) => it === null || (at > 0 && it.start < (spans[at - 1]?.end ?? 0)))) return null
  return document.syntax === 'json' || isOpen(document.text[around.start])
    ? editsOfFlow(document, around, spans as Span[], parts, insertions)
    : editsOfBlock(document, spans as Span[], parts, insertions)
}

/** Whether a node is written inside of brackets. */
function isInFlow(document: Document, path: Path): boolean {
  if (document.syntax === 'json') return true
  const parent = document.span(path.slice(0, -1))
  return path.length > 0 && parent !== null && isOpen(document.text[parent.start])
}

/**
 * The edit that puts a value in the place of another one below the root, in the style around it.
 * @returns null where the text gives no safe place for it
 */
export function nodeEdit(document: Document, path: Path, value: Json): Edit | null {
  const { text, syntax } = document
  const breaks = (put: string): string => put.replaceAll(/\r?\n/g, lineBreakOf(document))
  const span = document.span(path)
  if (span === null) return null
  if (isScalar(value) && isScalar(getPath(document.value, path) ?? {})) {
    const edit = setScalar(document, path, value)
    if (edit !== null) return edit
  }
  if (isInFlow(document, path)) {
    const parent = document.span(path.slice(0, -1))
    const own = spanOf(document, path)
    const unit = syntax === 'yaml' || parent === null || own === null ? null : unitOf(document, parent, own)
    const isQuoted = syntax === 'json' || text[own?.start ?? span.start] === '"'
    return { ...span, text: breaks(writtenFlow(document, value, indentAt(text, span.start), { unit, isQuoted })) }
  }
  return blockEdit(document, path, span, value)
}

function blockEdit(document: Document, path: Path, span: Span, value: Json): Edit | null {
  const { text } = document
  const key = document.span(path, { key: true })
  const isEntry = typeof path.at(-1) === 'string'
  if (isEntry && key === null) return null
  const mark = key === null ? text.lastIndexOf('-', span.start - 1) : text.indexOf(':', key.end)
  if (mark < 0) return null
  const end = mark + 1 + text.slice(mark + 1, Math.max(span.end, mark + 1)).trimEnd().length
  const column = (key === null ? mark : key.start) - lineStart(text, key === null ? mark : key.start)
  const indent = ' '.repeat(column + 2)
  const isNested = typeof value === 'object' && value !== null && !isEmpty(value)
  // A comment behind the key stays.
  const comment = /^[ \t]+#[^\n\r]*/.exec(text.slice(mark + 1, Math.max(span.start, mark + 1)))?.[0] ?? ''
  const body = serializeYaml(value).trimEnd()
  const put = isNested
    ? `${isEntry ? `${comment}\n${indent}` : ' '}${indented(body, indent)}`
    : ` ${indented(body, ' '.repeat(column))}${body.includes('\n') ? '' : comment}`
  return { start: mark + 1, end, text: put.replaceAll('\n', lineBreakOf(document)) }
}
