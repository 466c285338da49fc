/** What an author is typing: the text with a mark in place of the unfinished word, as far as it can be read, and where the mark is. */
import { readYamlKey } from '../document/yaml-scalar.ts'
import { defaultLimits } from '../document/limits.ts'
import type { Path } from '../kernel/json.ts'
import { nodeKind, type Outline } from '../document/outline.ts'
import { scanYaml } from '../document/scan-yaml.ts'
import { TooDeep } from '../document/too-deep.ts'
import { findFirstDocument } from '../document/yaml-stream.ts'
import { placeIn } from './place.ts'

/** Where in which document something is typed. */
export interface Typing {
  /** Of the value, or of the entry whose key is typed. */
  readonly path: Path
  /** A key is typed, or a scalar of a list or of a map that may become one. */
  readonly isKey: boolean
  /** What is replaced by a completion. */
  readonly start: number
  readonly end: number
  /** What is there, without quotes. */
  readonly typed: string
  /** The quotes around it; "" where there are none. */
  readonly quote: string
  /** Something follows the key already. */
  readonly hasColon: boolean
  readonly view: View
}

/** The keys and scalars of a text that may be unfinished. */
export class View {
  readonly #outline: Outline
  constructor(outline: Outline) {
    this.#outline = outline
  }

  #find(path: Path): number {
    const { id, depth } = this.#outline.find(path)
    return depth < path.length || this.#outline.count === 0 ? -1 : id
  }

  /** The kind of a node; null where there is none. */
  kindAt(path: Path): 'map' | 'list' | 'scalar' | null {
    const id = this.#find(path)
    if (id === -1) return null
    const kind = this.#outline.kind[this.#outline.resolve(id)]
    if (kind === nodeKind.map) return 'map'
    return kind === nodeKind.sequence ? 'list' : 'scalar'
  }

  keysAt(path: Path): string[] {
    const id = this.#find(path)
    if (id === -1) return []
    const holder = this.#outline.resolve(id)
    return [...this.#outline.children(holder)]
      .filter((it) => (this.#outline.keyStart[it] ?? -1) >= 0)
      .map((it) => this.#outline.key(it))
      .filter((it) => it !== mark)
  }

  /** A scalar as a text; "" where there is none. */
  textAt(path: Path): string {
    const id = this.#find(path)
    if (id === -1 || this.#outline.kind[id] !== nodeKind.scalar) return ''
    const { text, start, end } = this.#outline
    return (start[id] ?? 0) < (end[id] ?? 0) ? readYamlKey(text, start[id] ?? 0, end[id] ?? 0) : ''
  }

  /** How many items a list has. */
  countAt(path: Path): number {
    const id = this.#find(path)
    return id === -1 ? 0 : [...this.#outline.children(id)].length
  }
}

const mark = 'svc-mark'

interface Word {
  readonly isKey: boolean
  /** Offsets of what is typed, without its quotes, and with them. */
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
  readonly quote: string
  readonly hasColon: boolean
}

const isJsonKey = (before: string, isJson: boolean): boolean =>
  !isJson || /[{,]\s*$/.test(before) || /^\s*$/.test(before)

/** The word at an offset, by its line alone. */
function wordAt(text: string, offset: number, isJson: boolean): Word {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const next = text.indexOf('\n', offset)
  const line = text.slice(lineStart, next === -1 ? text.length : next).replace(/\r$/, '')
  const column = offset - lineStart
  const before = line.slice(0, column)
  const rest = line.slice(column)
  // A value: what precedes it on its line is a key with its colon.
  const value = /^(.*(?:^|[\s{,"'])["']?[\w$./~-]+["']?\s*:\s+|.*["']:\s*)(["']?)([^"'{}[\],]*)$/.exec(before)
  if (value !== null) {
    const [, lead = '', quote = ''] = value
    const tail = quote === '' ? /^[^,}\]#]*?(?=\s*(?:[,}\]]|\s#|$))/.exec(rest) : /^[^"']*/.exec(rest)
    const after = tail?.[0] ?? ''
    const start = lineStart + lead.length + quote.length
    const end = offset + after.length
    const closes = quote !== '' && line[end - lineStart] === quote
    return {
      isKey: false,
      start,
      end,
      from: start - quote.length,
      to: end + (closes ? 1 : 0),
      quote,
      hasColon: false,
    }
  }
  const word = /(["']?)([^\s"'{}[\],:]*)$/.exec(before)
  const [, quote = '', typed = ''] = word ?? []
  const after = (quote === '' ? /^[^\s"'{}[\],:]*/ : /^[^"']*/).exec(rest)?.[0] ?? ''
  const start = offset - typed.length
  const end = offset + after.length
  const closes = quote !== '' && line[end - lineStart] === quote
  const to = end + (closes ? 1 : 0)
  const lead = before.slice(0, before.length - typed.length - quote.length)
  const hasColon = /^\s*:/.test(line.slice(to - lineStart))
  return {
    isKey:
      hasColon || (isJsonKey(lead, isJson) && !/(?:^|\s)-\s+$/.test(lead) && !/\[\s*(?:[^\]{}]*,\s*)?$/.test(lead)),
    start,
    end,
    from: start - quote.length,
    to,
    quote,
    hasColon,
  }
}

/**
 * What is typed at an offset of a text, readable or not; null where nothing can be said of it.
 * @param syntax of the document
 */
export function typingAt(text: string, offset: number, syntax: 'json' | 'yaml'): Typing | null {
  const word = wordAt(text, offset, syntax === 'json')
  const { from, to, start, end, quote, isKey, hasColon } = word
  const lead = text.slice(0, from)
  const rest = text.slice(to)
  // Between entries of braces a comma may be missing on both sides.
  const isInBraces = syntax === 'json' || /[{,]\s*$/.test(lead.slice(lead.lastIndexOf('\n') + 1))
  const comma = isInBraces && /^\s*["'\w]/.test(rest) ? ',' : ''
  const put = isKey && !hasColon ? `"${mark}": 0${comma}` : `"${mark}"${isKey ? '' : comma}`
  const space = isKey && /[^\s{[,]$/.test(lead) ? ' ' : ''
  const whole = lead + space + put + rest
  try {
    const { from: begin, to: stop } = findFirstDocument(whole)
    const { outline } = scanYaml(whole.slice(0, stop), begin, defaultLimits)
    const place = placeIn(outline, from + space.length + 2)
    const found = { isKey: place.isKey, start, end, typed: text.slice(start, end), quote, hasColon }
    return { ...found, path: place.path, view: new View(outline) }
  } catch (error) {
    if (error instanceof TooDeep) return null
    throw error
  }
}
