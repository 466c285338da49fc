import type { Document, Problem } from './document.ts'
import { detectFormat } from './format.ts'
import type { Json, Path } from '../kernel/json.ts'
import { correctCommas } from './json-commas.ts'
import { findJsonFault, type SyntaxFault } from './json-syntax.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { placesOfLines } from './line-places.ts'
import { Lines } from './lines.ts'
import { numericOfText } from './exact.ts'
import { readExactly } from './exact-numbers.ts'
import { findOddKeys, pathsOf } from './non-string-keys.ts'
import { nodeKind, Outline } from './outline.ts'
import { placeAsSpectral, placeOf } from './place.ts'
import type { Range } from './position.ts'
import { readRegularYaml } from './regular-yaml.ts'
import { scanJson } from './scan-json.ts'
import { parseYaml } from '../host/engine.ts'
import { parseYamlText } from './parse-yaml.ts'
import { scanYaml, type YamlNotice } from './scan-yaml.ts'
import { getPath } from '../kernel/pointer.ts'
import { TooDeep } from './too-deep.ts'
import { findOddities, findRepeatedKeys } from './value-check.ts'
import { findYamlFault } from './yaml-syntax.ts'
import { findFirstDocument } from './yaml-stream.ts'

export interface ParseOptions {
  /** Where the text came from: a file name, a URL, "-". A name that ends in .json, .yaml or .yml decides the syntax. */
  readonly source: string
  readonly syntax?: 'json' | 'yaml'
  readonly limits?: Partial<Limits>
  /** The value of a text that is wrong in a way that leaves no doubt what is meant: commas before closing brackets, numbers that are not finite. */
  readonly tolerant?: boolean
}

const notices: Readonly<Record<YamlNotice['code'], string>> = {
  'alias-bomb': 'The document is too large after its aliases are expanded; replace repeated parts by $ref.',
  'alias-cycle': 'This alias refers to a node that contains it, so the value would be infinite.',
  'alias-unresolved': 'Unknown alias: no anchor with this name precedes it.',
  'key-not-scalar': 'A key must be a string; arrays and objects are not allowed as keys.',
}

// A text being read: gathers problems, and the outline that positions come from.
class Reader {
  readonly text: string
  readonly limits: Limits
  readonly problems: Problem[] = []
  outline: Outline
  #lines: Lines | null = null

  constructor(text: string, limits: Limits) {
    this.text = text
    this.limits = limits
    this.outline = new Outline('', () => '')
  }

  get lines(): Lines {
    return (this.#lines ??= new Lines(this.text))
  }

  range(start: number, end: number): Range {
    return this.lines.range(start, end)
  }

  report(
    code: string,
    severity: Problem['severity'],
    message: string,
    start: number,
    end = start,
    path: Path = [],
  ): void {
    this.problems.push({ code, severity, message, path, range: this.range(start, end) })
  }

  fault(fault: SyntaxFault, syntax: string): void {
    this.report('syntax', 'error', `Invalid ${syntax}: ${fault.message}.`, fault.start, fault.end)
  }

  get failed(): boolean {
    return this.problems.some((problem) => problem.severity === 'error')
  }
}

const reportDepth = (reader: Reader, error: unknown): void => {
  if (!(error instanceof TooDeep)) throw error
  reader.report(
    'nesting-too-deep',
    'error',
    `Arrays and objects are nested deeper than ${reader.limits.maxDepth} levels.`,
    error.offset,
    error.offset + 1,
  )
}

const readJson = (reader: Reader, tolerant: boolean, known: Json | undefined): Json => {
  let { text } = reader
  let value: Json
  try {
    value = known === undefined ? parseJson(text) : known
  } catch (error) {
    const fault = findJsonFault(text)
    reader.fault(fault ?? { start: 0, end: 0, message: error instanceof Error ? error.message : 'unknown' }, 'JSON')
    const corrected = tolerant ? correctCommas(text, 'trailing') : null
    if (corrected === null) return null
    text = corrected.text
    value = parseJson(text)
  }
  try {
    reader.outline = scanJson(text, reader.limits.maxDepth)
  } catch (error) {
    reportDepth(reader, error)
    return null
  }
  return value
}

const parseJson = (text: string): Json => JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json

const parseFirstYaml = (text: string): Json => parseYaml(text.slice(0, findFirstDocument(text).to)) as Json

const readYaml = (reader: Reader): { readonly value: Json; readonly aliased: boolean } => {
  const nothing = { value: null, aliased: false }
  const { from, to, next } = findFirstDocument(reader.text)
  const text = to === reader.text.length ? reader.text : reader.text.slice(0, to)
  const regular = readRegularYaml(text, from, reader.limits.maxDepth)
  if (regular !== null) {
    reader.outline = regular.outline
    reportFurther(reader, next)
    return { value: regular.value, aliased: false }
  }
  let scan
  try {
    scan = scanYaml(text, from, reader.limits)
  } catch (error) {
    reportDepth(reader, error)
    return nothing
  }
  reader.outline = scan.outline
  const fatal = scan.notices.find((notice) => notice.code !== 'key-not-scalar')
  const report = (notice: YamlNotice) =>
    reader.report(notice.code, 'error', notices[notice.code], notice.start, notice.end)
  if (fatal !== undefined) {
    report(fatal)
    return nothing
  }
  let value: Json
  try {
    value = parseYamlText(text, scan.aliased ? null : scan.outline)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^YAML Parse error: /, '') : 'unknown'
    reader.fault(findYamlFault(reader.text, text.charCodeAt(0) === 0xfeff ? 1 : 0, to, reason), 'YAML')
    return nothing
  }
  for (const notice of scan.notices) report(notice)
  reportFurther(reader, next)
  return { value, aliased: scan.aliased }
}

const reportFurther = (reader: Reader, next: number | null): void => {
  if (next !== null)
    reader.report(
      'several-documents',
      'warning',
      'The file contains several YAML documents; only the first is used.',
      next,
      next + 3,
    )
}

/** The syntax of a text, with its value where that had to be read to know it. */
interface Syntax {
  readonly syntax: 'json' | 'yaml'
  readonly value?: Json
}

const chooseSyntax = (text: string, options: ParseOptions): Syntax => {
  if (options.syntax !== undefined) return { syntax: options.syntax }
  const name = options.source.replace(/[?#].*$/, '').toLowerCase()
  if (name.endsWith('.json')) return { syntax: 'json' }
  if (name.endsWith('.yaml') || name.endsWith('.yml') || !/^\uFEFF?\s*[{["]/.test(text)) return { syntax: 'yaml' }
  // Flow style YAML begins as JSON does.
  try {
    return { syntax: 'json', value: parseJson(text) }
  } catch {
    return { syntax: /^\uFEFF?\s*[{[]\s*["{[\]}]/.test(text) ? 'json' : 'yaml' }
  }
}

const isEmpty = (text: string, syntax: 'json' | 'yaml'): boolean => {
  if (text.trim() === '' || text === '\uFEFF') return true
  if (syntax === 'json' || text.length > 100_000) return false
  const { from, to, next } = findFirstDocument(text)
  return next === null && /^(?:[ \t\r]*(?:#.*)?(?:\n|$))*$/.test(text.slice(from, to))
}

/**
 * Reads a text as JSON (RFC 8259) or YAML 1.2 (core schema, with merge keys). Never throws for an invalid text: errors are
 * in `problems`, each with its range. `value` is null where the text cannot be read at all; a repeated key is an error whose
 * value stays usable (the last one counts). Of several YAML documents the first is used, with a warning.
 */
export const parseDocument = (text: string, options: ParseOptions): Document => {
  const reader = new Reader(text, { ...defaultLimits, ...options.limits })
  const { syntax, value: known } = chooseSyntax(text, options)
  const nul = text.indexOf('\0')
  let value: Json = null
  if (nul !== -1)
    reader.report('nul-character', 'error', 'The file contains a NUL character; it may be a binary file.', nul, nul + 1)
  else if (isEmpty(text, syntax)) reader.report('empty-document', 'error', 'The document is empty.', 0)
  else {
    const read =
      syntax === 'json'
        ? { value: readJson(reader, options.tolerant === true, known), aliased: false }
        : readYaml(reader)
    value = read.value
    if (!reader.failed) {
      checkValue(reader, value, read.aliased)
      if (options.tolerant !== true && reader.problems.some(({ code }) => code === 'number-not-finite')) value = null
    }
  }
  const replaced = text.indexOf('\uFFFD')
  if (replaced !== -1 && nul === -1)
    reader.report(
      'invalid-utf-8',
      'warning',
      'The file contains replacement characters (U+FFFD); it was probably not UTF-8.',
      replaced,
      replaced + 1,
    )
  return finish(reader, value, options.source, syntax)
}

/** The same document with as much of its value as there is no doubt about: see `ParseOptions.tolerant`. */
export const readTolerantly = (document: Document): Document =>
  document.value !== null || !document.problems.some(({ code }) => code === 'syntax' || code === 'number-not-finite')
    ? document
    : parseDocument(document.text, { source: document.source, syntax: document.syntax, tolerant: true })

const checkValue = (reader: Reader, value: Json, aliased: boolean): void => {
  const { outline } = reader
  const odd = findOddities(value, aliased)
  const repeated = [...findRepeatedKeys(outline, odd.entries)]
  const paths = pathsOf(outline, new Set(repeated))
  for (const id of repeated) {
    const start = outline.keyStart[id] ?? 0
    reader.report(
      'duplicate-key',
      'error',
      `Duplicate key "${outline.key(id)}"; only the last one is used.`,
      start,
      outline.keyEnd[id] ?? start,
      paths.get(id),
    )
  }
  for (const { kind, path } of odd.found) {
    const { start, end } = placeOf(reader.outline, path, false)
    const range = [start, end, path] as const
    if (kind === 'nul')
      reader.report(
        'nul-character',
        'warning',
        'This string contains an escaped NUL character, which many programs and databases reject.',
        ...range,
      )
    else if (numericOfText(reader.text.slice(start, end)) !== null) {
      clamp(value, path)
      reader.report(
        'number-out-of-range',
        'warning',
        'This number is larger than most programs can hold; use a smaller one.',
        ...range,
      )
    } else
      reader.report(
        'number-not-finite',
        'error',
        'This number is infinite or not a number, which JSON does not support.',
        ...range,
      )
  }
}

/** Replaces an infinite number, which JSON could not be written with, by the largest that is not. */
const clamp = (value: Json, path: Path): void => {
  const holder = getPath(value, path.slice(0, -1)) as Record<string, number> | undefined
  const key = path.at(-1)
  if (holder === undefined || key === undefined) return
  holder[key] = Math.sign(holder[key] ?? 1) * Number.MAX_VALUE
}

/** A text that is not a document: its value is the text itself. */
export const plainText = (text: string, source: string): Document =>
  finish(new Reader(text, defaultLimits), text.replace(/^\uFEFF/, ''), source, 'yaml')

const exactly = (reader: Reader, value: Json, syntax: 'json' | 'yaml'): Json =>
  value === null
    ? null
    : readExactly(reader.text, reader.outline, value, syntax === 'yaml', syntax === 'yaml' ? parseFirstYaml : parseJson)

const outlines = new WeakMap<Document, () => Outline>()

/** The positions of all nodes of a document that `parseDocument` made; those of a text that cannot be read as far as it can. */
export const outlineOf = (document: Document): Outline => outlines.get(document)?.() ?? new Outline('', () => '')

/** A document whose text was read before, apart from one part of it: the positions of all, its value, and no problems. */
export const documentFrom = (
  outline: Outline,
  value: Json,
  { source, syntax }: Pick<Document, 'source' | 'syntax'>,
): Document => {
  const reader = new Reader(outline.text, defaultLimits)
  reader.outline = outline
  return finish(reader, value, source, syntax)
}

const finish = (reader: Reader, value: Json, source: string, syntax: 'json' | 'yaml'): Document => {
  const document = documentOf(reader, value, source, syntax)
  outlines.set(document, () => reader.outline)
  return document
}

const documentOf = (reader: Reader, value: Json, source: string, syntax: 'json' | 'yaml'): Document => ({
  source,
  text: reader.text,
  syntax,
  value,
  format: detectFormat(value),
  problems: reader.problems,
  exactValue: () => exactly(reader, value, syntax),
  locate: (path, locateOptions) => {
    const { start, end } =
      locateOptions?.spectral === true
        ? placeAsSpectral(reader.outline, path)
        : placeOf(reader.outline, path, locateOptions?.key === true)
    return reader.range(start, end)
  },
  span: (path, spanOptions) => {
    const { outline } = reader
    if (outline.count === 0) return null
    const { id, depth } = outline.find(path)
    if (depth < path.length || (spanOptions?.key === true && (outline.keyStart[id] ?? -1) < 0)) return null
    return placeOf(outline, path, spanOptions?.key === true)
  },
  countLines: () => reader.lines.count,
  linesAt: (first, last) => {
    const { lines, text, outline } = reader
    const count = Math.max(0, Math.min(last + 1, lines.count) - first)
    const bounds = Array.from({ length: count + 1 }, (_, at) => lines.start(first + at, text.length))
    return placesOfLines(outline, bounds).map((path, at) => ({
      text: text.slice(bounds[at], bounds[at + 1]).replace(/\r?\n$/, ''),
      path,
    }))
  },
  nonStringKeys: () =>
    syntax === 'json'
      ? []
      : findOddKeys(reader.outline).map(({ type, path, start, end }) => ({
          type,
          path,
          range: reader.range(start, end),
        })),
  keysInOrder: (path) => {
    const { outline } = reader
    const { id, depth } = outline.find(path)
    if (outline.count === 0 || depth < path.length) return []
    const holder = outline.resolve(id)
    if (outline.kind[holder] !== nodeKind.map) return []
    return [...new Set(Array.from(outline.children(holder), (child) => outline.key(child)))]
  },
})
