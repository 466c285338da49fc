/**
 * Reads YAML whose every character means one thing beyond doubt, as most documents are written: block style, quotes, block
 * scalars, and collections in brackets on one line. In one pass it makes the outline, and JSON of the same value, which the runtime
 * reads several times as fast as YAML. Everything else (anchors, tags, tabs, whatever may be wrong) is left to the general readers.
 */
import type { Json } from '../kernel/json.ts'
import { JsonWriter } from './json-writer.ts'
import { nodeKind, Outline } from './outline.ts'
import { irregular, Irregular, Scalars } from './regular-scalars.ts'
import { readYamlKey } from './yaml-scalar.ts'

const newline = 10
const space = 32
const hash = 35
const dash = 45
const colon = 58

// Tabs, other line breaks, and what no YAML may hold.
const special = /[^\n -~\u00a0-\u2027\u202a-\ufefe\uff00-\ufffc]/

class RegularYaml {
  readonly outline: Outline
  readonly json: JsonWriter
  readonly #text: string
  readonly #scalars: Scalars
  readonly #maxDepth: number
  #at: number
  #lineStart: number
  /** The column of the content where the cursor is, after a node was read; -1 at the end. */
  #column = -1
  #depth = 0
  /** Where the node ended that was closed last. */
  #end = 0

  constructor(text: string, from: number, maxDepth: number) {
    this.#text = text
    this.#at = from
    this.#lineStart = from
    this.#maxDepth = maxDepth
    this.outline = new Outline(text, readYamlKey)
    this.json = new JsonWriter(text)
    this.#scalars = new Scalars(text, this.json)
  }

  /** Reads the whole text. */
  run(): void {
    this.#next()
    if (this.#column < 0 || !this.#collection(-1, -1) || this.#column >= 0) throw irregular
  }

  /** Moves to the next line with content, from the end of a value or the start of a line. */
  #next(): void {
    const text = this.#text
    const begun = this.#at
    let at = begun
    let lineStart = this.#lineStart
    const isFresh = at === lineStart
    for (;;) {
      const c = text.charCodeAt(at)
      if (c === space) at++
      else if (c === newline) lineStart = ++at
      else if (c === hash && (at === lineStart || text.charCodeAt(at - 1) === space)) {
        const end = text.indexOf('\n', at)
        at = end === -1 ? text.length : end
      } else {
        const atEnd = at >= text.length
        if (!atEnd && !isFresh && lineStart === this.#lineStart) throw irregular
        this.#at = at
        this.#lineStart = lineStart
        this.#column = atEnd ? -1 : at - lineStart
        return
      }
    }
  }

  #isGap(at: number): boolean {
    const c = this.#text.charCodeAt(at)
    return c === space || c === newline || at >= this.#text.length
  }

  #isDash(at: number): boolean {
    return this.#text.charCodeAt(at) === dash && this.#isGap(at + 1)
  }

  #skip(from: number): number {
    let at = from
    while (this.#text.charCodeAt(at) === space) at++
    return at
  }

  /** Whether nothing but a comment is left on the line from a gap on. */
  #isOver(at: number): boolean {
    const c = this.#text.charCodeAt(at)
    return c === newline || at >= this.#text.length || (c === hash && this.#text.charCodeAt(at - 1) === space)
  }

  #enter(): void {
    if (++this.#depth > this.#maxDepth) throw irregular
  }

  #close(id: number, end: number): void {
    this.outline.close(id, end)
    this.#end = end
  }

  /** Reads the list or map that begins at the cursor; false where neither does. */
  #collection(keyStart: number, keyEnd: number): boolean {
    const column = this.#at - this.#lineStart
    if (this.#isDash(this.#at)) {
      this.#sequence(column, keyStart, keyEnd)
      return true
    }
    const first = this.#scalars.colonOf(this.#at)
    if (first === -1) return false
    this.#map(column, first, keyStart, keyEnd)
    return true
  }

  #map(column: number, first: number, keyStart: number, keyEnd: number): void {
    this.#enter()
    const { json } = this
    const id = this.outline.open(nodeKind.map, this.#at, keyStart, keyEnd)
    json.sign(123)
    for (let end = first; ; json.sign(44)) {
      const start = this.#at
      let last = end
      while (this.#text.charCodeAt(last - 1) === space) last--
      this.#scalars.key(start, last)
      json.sign(58)
      this.#at = end + 1
      this.#value(column, start, last)
      if (this.#column > column) throw irregular
      if (this.#column < column) break
      end = this.#isDash(this.#at) ? -1 : this.#scalars.colonOf(this.#at)
      if (end === -1) throw irregular
    }
    json.sign(125)
    this.#close(id, this.#end)
    this.#depth--
  }

  #sequence(column: number, keyStart: number, keyEnd: number): void {
    this.#enter()
    const { json } = this
    const id = this.outline.open(nodeKind.sequence, this.#at, keyStart, keyEnd)
    json.sign(91)
    for (;;) {
      this.#at++
      this.#item(column)
      if (this.#column !== column || !this.#isDash(this.#at)) break
      json.sign(44)
    }
    if (this.#column > column) throw irregular
    json.sign(93)
    this.#close(id, this.#end)
    this.#depth--
  }

  /** Reads what is behind the dash of an item. */
  #item(parent: number): void {
    const at = this.#skip(this.#at)
    if (this.#isOver(at)) return this.#below(parent, -1, -1, false)
    this.#at = at
    if (!this.#collection(-1, -1)) this.#inline(parent, -1, -1)
  }

  /** Reads what is behind the colon of a key. */
  #value(parent: number, keyStart: number, keyEnd: number): void {
    const at = this.#skip(this.#at)
    if (this.#isOver(at)) return this.#below(parent, keyStart, keyEnd, true)
    this.#at = at
    this.#inline(parent, keyStart, keyEnd)
  }

  /** Reads a node that begins on a line of its own, or none. A list may begin in the column of the key that holds it. */
  #below(parent: number, keyStart: number, keyEnd: number, hasKey: boolean): void {
    const after = this.#at
    this.#next()
    const column = this.#column
    if (column > parent) {
      if (!this.#collection(keyStart, keyEnd)) this.#inline(parent, keyStart, keyEnd)
    } else if (hasKey && column === parent && this.#isDash(this.#at)) this.#sequence(column, keyStart, keyEnd)
    else {
      this.json.word('null')
      this.#close(this.outline.open(nodeKind.scalar, after, keyStart, keyEnd), after)
    }
  }

  /** Reads a scalar, or a collection in brackets, which nothing but a comment may follow on its last line. */
  #inline(parent: number, keyStart: number, keyEnd: number): void {
    const c = this.#text.charCodeAt(this.#at)
    if (c === 91 || c === 123) this.#flow(keyStart, keyEnd)
    else {
      const start = this.#at
      const id = this.outline.open(nodeKind.scalar, start, keyStart, keyEnd)
      const { end, next, lineStart } = this.#scalars.read(start, parent)
      this.#close(id, end)
      this.#at = next
      if (lineStart >= 0) this.#lineStart = lineStart
    }
    this.#next()
  }

  /** Reads a collection in brackets on one line. */
  #flow(keyStart: number, keyEnd: number): void {
    this.#enter()
    const text = this.#text
    const isMap = text.charCodeAt(this.#at) === 123
    const close = isMap ? 125 : 93
    const id = this.outline.open(isMap ? nodeKind.map : nodeKind.sequence, this.#at, keyStart, keyEnd)
    this.json.sign(isMap ? 123 : 91)
    this.#at = this.#skip(this.#at + 1)
    while (text.charCodeAt(this.#at) !== close) {
      if (isMap) this.#flowEntry()
      else this.#flowNode(-1, -1)
      this.#at = this.#skip(this.#at)
      const c = text.charCodeAt(this.#at)
      if (c === close) break
      if (c !== 44) throw irregular
      this.json.sign(44)
      this.#at = this.#skip(this.#at + 1)
      if (text.charCodeAt(this.#at) === close) throw irregular
    }
    this.json.sign(close)
    this.#at++
    this.#close(id, this.#at)
    this.#depth--
  }

  #flowEntry(): void {
    const start = this.#at
    const end = this.#scalars.flowEnd(start, true)
    this.#scalars.key(start, end)
    const at = this.#skip(end)
    // Behind a key in double quotes the colon may be followed by the value at once, as in JSON.
    if (this.#text.charCodeAt(at) !== colon) throw irregular
    if (this.#text.charCodeAt(start) !== 34 && this.#text.charCodeAt(at + 1) !== space) throw irregular
    this.json.sign(58)
    this.#at = this.#skip(at + 1)
    this.#flowNode(start, end)
  }

  #flowNode(keyStart: number, keyEnd: number): void {
    const start = this.#at
    const c = this.#text.charCodeAt(start)
    if (c === 91 || c === 123) return this.#flow(keyStart, keyEnd)
    const end = this.#scalars.flowEnd(start, false)
    const id = this.outline.open(nodeKind.scalar, start, keyStart, keyEnd)
    this.#scalars.flow(start, end)
    this.#close(id, end)
    this.#at = end
  }
}

/**
 * The value and the outline of a YAML text that is regular; null for every other text, and for one that only the general readers can
 * say is right.
 *
 * @param from where its content begins, behind `---` where that is written
 */
export function readRegularYaml(
  text: string,
  from: number,
  maxDepth: number,
): { readonly value: Json; readonly outline: Outline } | null {
  if (from > 0 && (text.charCodeAt(from) !== newline || text.slice(0, from).includes('%'))) return null
  if (special.test(text) || !text.isWellFormed()) return null
  const reader = new RegularYaml(text, from, maxDepth)
  try {
    reader.run()
  } catch (error) {
    if (error instanceof Irregular) return null
    throw error
  }
  const json = reader.json.finish()
  return json === null ? null : { value: JSON.parse(json) as Json, outline: reader.outline }
}
