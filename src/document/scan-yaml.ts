// Longer than 400 lines: one scanner, whose states share the cursor and the outline.
import { nodeKind, Outline } from './outline.ts'
import { TooDeep } from './too-deep.ts'
import { isBreak, isGap, YamlCursor } from './yaml-cursor.ts'
import { readYamlKey } from './yaml-scalar.ts'

/** Something that only the scan of a YAML text sees. */
export interface YamlNotice {
  readonly code: 'alias-bomb' | 'alias-cycle' | 'alias-unresolved' | 'key-not-scalar'
  readonly start: number
  readonly end: number
}

export interface YamlScan {
  readonly outline: Outline
  readonly notices: readonly YamlNotice[]
  /** Whether aliases or merge keys make the value differ from the written nodes. */
  readonly aliased: boolean
}

export interface YamlBounds {
  readonly maxDepth: number
  /** The most nodes that a document may have once its aliases are replaced by what they stand for. */
  readonly maxExpandedNodes: number
}

/** Where a block node stands: at the root, as the value of a key, or after `- ` (where a collection may begin on the same line). */
type Place = 'root' | 'value' | 'item'

class YamlScanner {
  readonly outline: Outline
  readonly notices: YamlNotice[] = []
  aliased = false
  readonly #cursor: YamlCursor
  readonly #bounds: YamlBounds
  readonly #anchors = new Map<string, number>()
  readonly #anchorWeights = new Map<number, number>()
  #weight = 0
  #depth = 0
  #end = 0
  #bomb = false

  constructor(text: string, from: number, bounds: YamlBounds) {
    this.outline = new Outline(text, readYamlKey)
    this.#cursor = new YamlCursor(text, from)
    this.#bounds = bounds
  }

  /** Reads the block node that follows; `parent` is the column of the collection that holds it, -1 at the root. */
  node(parent: number, place: Place, keyStart: number, keyEnd: number): void {
    const cursor = this.#cursor
    const after = cursor.at
    const line = place === 'root' && cursor.at === cursor.lineStart ? -1 : cursor.lineStart
    let anchor = ''
    let tagged = false
    for (;;) {
      const column = cursor.toContent()
      const fresh = cursor.lineStart !== line
      if (
        column < 0 ||
        (fresh && column <= parent && !(place === 'value' && column === parent && cursor.isIndicator(45)))
      )
        return this.#empty(after, keyStart, keyEnd, anchor)
      const c = cursor.code()
      if (fresh || (place === 'item' && !tagged)) {
        if (cursor.isIndicator(45)) return this.#sequence(column, keyStart, keyEnd, anchor)
        if (cursor.isIndicator(63) || cursor.implicitColon(cursor.at) >= 0)
          return this.#map(column, keyStart, keyEnd, anchor)
      }
      if (c !== 38 && c !== 33) break
      const end = cursor.propertyEnd(cursor.at, false)
      if (c === 38) anchor = cursor.text.slice(cursor.at + 1, end)
      tagged = true
      cursor.at = end
    }
    this.#inline(parent, keyStart, keyEnd, anchor)
  }

  #inline(parent: number, keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    const c = cursor.code()
    const start = cursor.at
    if (c === 42) return this.#alias(keyStart, keyEnd, false)
    if (c === 91 || c === 123) return this.#flow(keyStart, keyEnd, anchor)
    if (c === 34 || c === 39) {
      cursor.jump(cursor.quotedEnd(start))
      return this.#scalar(start, cursor.at, keyStart, keyEnd, anchor)
    }
    if (c === 124 || c === 62) return this.#scalar(start, this.#blockScalarEnd(parent), keyStart, keyEnd, anchor)
    this.#scalar(start, this.#plainEnd(parent), keyStart, keyEnd, anchor)
  }

  #open(kind: number, start: number, keyStart: number, keyEnd: number, anchor: string): number {
    const id = this.outline.open(kind, start, keyStart, keyEnd)
    this.#weight++
    if (anchor !== '') {
      this.#anchors.set(anchor, id)
      this.#anchorWeights.set(id, -this.#weight)
    }
    return id
  }

  #close(id: number, end: number): void {
    this.outline.close(id, end)
    this.#end = end
    const opened = this.#anchorWeights.get(id)
    if (opened !== undefined) this.#anchorWeights.set(id, this.#weight + opened + 1)
  }

  #scalar(start: number, end: number, keyStart: number, keyEnd: number, anchor: string): void {
    this.#close(this.#open(nodeKind.scalar, start, keyStart, keyEnd, anchor), end)
  }

  // The value is not there: its place is right behind the colon or dash.
  #empty(after: number, keyStart: number, keyEnd: number, anchor: string): void {
    this.#scalar(after, after, keyStart, keyEnd, anchor)
  }

  #alias(keyStart: number, keyEnd: number, inFlow: boolean): void {
    const cursor = this.#cursor
    const start = cursor.at
    const end = cursor.propertyEnd(start, inFlow)
    const id = this.#open(nodeKind.alias, start, keyStart, keyEnd, '')
    cursor.at = end
    this.aliased = true
    this.#close(id, end)
    const target = this.#anchors.get(cursor.text.slice(start + 1, end))
    if (target === undefined) {
      this.notices.push({ code: 'alias-unresolved', start, end })
      return
    }
    const weight = this.#anchorWeights.get(target) ?? 1
    if (weight <= 0) {
      this.notices.push({ code: 'alias-cycle', start, end })
      return
    }
    this.outline.targets.set(id, target)
    this.#weight += weight
    if (!this.#bomb && this.#weight > this.#bounds.maxExpandedNodes) {
      this.#bomb = true
      this.notices.push({ code: 'alias-bomb', start, end })
    }
  }

  #enter(): void {
    if (++this.#depth > this.#bounds.maxDepth) throw new TooDeep(this.#cursor.at)
  }

  #sequence(column: number, keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    this.#enter()
    const id = this.#open(nodeKind.sequence, cursor.at, keyStart, keyEnd, anchor)
    do {
      cursor.at++
      this.node(column, 'item', -1, -1)
    } while (cursor.toContent() === column && cursor.isIndicator(45))
    this.#close(id, this.#end)
    this.#depth--
  }

  #map(column: number, keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    this.#enter()
    const id = this.#open(nodeKind.map, cursor.at, keyStart, keyEnd, anchor)
    do {
      if (cursor.isIndicator(63)) this.#explicitEntry(column)
      else {
        const colon = cursor.implicitColon(cursor.at)
        if (colon < 0) break
        this.#implicitEntry(column, colon)
      }
    } while (cursor.toContent() === column && !cursor.isIndicator(45))
    this.#close(id, this.#end)
    this.#depth--
  }

  #implicitEntry(column: number, colon: number): void {
    const cursor = this.#cursor
    let start = cursor.at
    let anchor = ''
    for (let c = cursor.code(start); c === 38 || c === 33; c = cursor.code(start)) {
      const end = cursor.propertyEnd(start, false)
      if (c === 38) anchor = cursor.text.slice(start + 1, end)
      start = cursor.skipSpaces(end)
    }
    let end = colon
    while (end > start && isGap(cursor.code(end - 1))) end--
    if (anchor !== '') this.#anchors.set(anchor, -1)
    const c = cursor.code(start)
    if (c === 91 || c === 123) this.notices.push({ code: 'key-not-scalar', start, end })
    if (c === 60 && end - start === 2 && cursor.code(start + 1) === 60) this.aliased = true
    if (c === 42) this.aliased = true
    cursor.at = colon + 1
    this.node(column, 'value', start, end)
  }

  #explicitEntry(column: number): void {
    const cursor = this.#cursor
    const { outline } = this
    const question = cursor.at
    cursor.at++
    const mark = outline.count
    const entries = outline.entries
    this.node(column, 'item', -1, -1)
    const start = outline.start[mark] ?? question
    const end = outline.end[mark] ?? start
    if (outline.kind[mark] !== nodeKind.scalar) this.notices.push({ code: 'key-not-scalar', start, end })
    outline.count = mark
    outline.entries = entries
    const at = cursor.at
    if (cursor.toContent() === column && cursor.isIndicator(58)) {
      cursor.at++
      this.node(column, 'item', start, end)
    } else {
      this.#empty(Math.min(at, cursor.at), start, end, '')
    }
  }

  #plainEnd(parent: number): number {
    const cursor = this.#cursor
    let end = cursor.plainLineEnd(cursor.at)
    cursor.at = end
    for (;;) {
      if (!isBreak(cursor.code(cursor.skipSpaces(end)))) return end
      const { at, lineStart } = cursor
      const column = cursor.toContent()
      // A comment between the lines ends the scalar; so does a line that is not deeper than the parent.
      if (column <= parent || (column >= 0 && cursor.text.slice(at, cursor.at).includes('#'))) {
        cursor.at = at
        cursor.lineStart = lineStart
        return end
      }
      if (column < 0) return end
      end = cursor.plainLineEnd(cursor.at)
      cursor.at = end
    }
  }

  #blockScalarEnd(parent: number): number {
    const cursor = this.#cursor
    const { text } = cursor
    let indent = -1
    const keep = text.slice(cursor.at + 1, cursor.at + 3).includes('+')
    for (let at = cursor.at + 1; at < cursor.at + 3; at++) {
      const digit = cursor.code(at) - 48
      if (digit >= 1 && digit <= 9) indent = Math.max(parent, 0) + digit
    }
    let end = text.indexOf('\n', cursor.at)
    let next = end === -1 ? cursor.limit : end + 1
    end = next
    while (next < cursor.limit) {
      let at = next
      while (text.charCodeAt(at) === 32) at++
      const width = at - next
      const blank = isBreak(text.charCodeAt(at))
      if (!blank) {
        if (indent < 0 && width > parent) indent = width
        if (indent < 0 || width < indent) break
      }
      const newline = text.indexOf('\n', at)
      next = newline === -1 ? cursor.limit : newline + 1
      // Blank lines behind the text belong to it only where the header says so.
      if (!blank || keep || (indent >= 0 && width > indent)) end = next
    }
    cursor.at = next
    cursor.lineStart = next
    return end
  }

  #flow(keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    this.#enter()
    const isMap = cursor.code() === 123
    const id = this.#open(isMap ? nodeKind.map : nodeKind.sequence, cursor.at, keyStart, keyEnd, anchor)
    cursor.at++
    for (;;) {
      if (cursor.toContent() < 0) break
      const c = cursor.code()
      if (c === 44) cursor.at++
      else if (c === 93 || c === 125) {
        cursor.at++
        break
      } else {
        const before = cursor.at
        if (isMap) this.#flowEntry()
        else this.#flowItem()
        if (cursor.at === before) cursor.at++
      }
    }
    this.#close(id, cursor.at)
    this.#depth--
  }

  /** One `key: value` of a flow map; a key alone has an empty value. */
  #flowEntry(): void {
    const cursor = this.#cursor
    if (cursor.isIndicator(63)) {
      cursor.at++
      cursor.toContent()
    }
    const { outline } = this
    const mark = outline.count
    const entries = outline.entries
    this.#flowNode(-1, -1)
    const start = outline.start[mark] ?? cursor.at
    const end = outline.end[mark] ?? cursor.at
    if (outline.kind[mark] === nodeKind.map || outline.kind[mark] === nodeKind.sequence)
      this.notices.push({ code: 'key-not-scalar', start, end })
    if (end - start === 2 && cursor.text.startsWith('<<', start)) this.aliased = true
    outline.count = mark
    outline.entries = entries
    this.#flowValue(start, end)
  }

  #flowValue(start: number, end: number): void {
    const cursor = this.#cursor
    const { at, lineStart } = cursor
    cursor.toContent()
    if (cursor.code() === 58) {
      cursor.at++
      const after = cursor.at
      cursor.toContent()
      const c = cursor.code()
      if (c === 44 || c === 93 || c === 125) this.#empty(after, start, end, '')
      else this.#flowNode(start, end)
      return
    }
    cursor.at = at
    cursor.lineStart = lineStart
    this.#empty(end, start, end, '')
  }

  /** One item of a flow sequence; `a: b` in it is a map of one entry. */
  #flowItem(): void {
    const cursor = this.#cursor
    const { outline } = this
    const mark = outline.count
    const begin = cursor.at
    const explicit = cursor.isIndicator(63)
    if (!explicit) {
      this.#flowNode(-1, -1)
      const { at, lineStart } = cursor
      const line = cursor.lineStart
      const pair = cursor.toContent() >= 0 && cursor.code() === 58 && cursor.lineStart === line
      cursor.at = at
      cursor.lineStart = lineStart
      if (!pair) return
      const first = outline.start[mark] ?? begin
      const last = outline.end[mark] ?? begin
      outline.count = mark
      const id = this.#open(nodeKind.map, first, -1, -1, '')
      this.#flowValue(first, last)
      this.#close(id, this.#end)
      return
    }
    const id = this.#open(nodeKind.map, begin, -1, -1, '')
    this.#flowEntry()
    this.#close(id, this.#end)
  }

  #flowNode(keyStart: number, keyEnd: number): void {
    const cursor = this.#cursor
    let anchor = ''
    const after = cursor.at
    for (let c = cursor.code(); c === 38 || c === 33; c = cursor.code()) {
      const end = cursor.propertyEnd(cursor.at, true)
      if (c === 38) anchor = cursor.text.slice(cursor.at + 1, end)
      cursor.at = end
      if (cursor.toContent() < 0) break
    }
    const start = cursor.at
    const c = cursor.code()
    if (c === 42) return this.#alias(keyStart, keyEnd, true)
    if (c === 91 || c === 123) return this.#flow(keyStart, keyEnd, anchor)
    if (c === 34 || c === 39) {
      cursor.jump(cursor.quotedEnd(start))
      return this.#scalar(start, cursor.at, keyStart, keyEnd, anchor)
    }
    const end = this.#flowPlainEnd()
    if (end === start) return this.#empty(after, keyStart, keyEnd, anchor)
    this.#scalar(start, end, keyStart, keyEnd, anchor)
  }

  #flowPlainEnd(): number {
    const cursor = this.#cursor
    let last = cursor.at
    let at = cursor.at
    for (; ; at++) {
      const c = cursor.code(at)
      if (Number.isNaN(c) || c === 44 || c === 91 || c === 93 || c === 123 || c === 125) break
      if (isGap(c)) continue
      if (c === 35 && isGap(cursor.code(at - 1))) break
      if (c === 58) {
        const next = cursor.code(at + 1)
        if (isGap(next) || next === 44 || next === 91 || next === 93 || next === 123 || next === 125) break
      }
      last = at + 1
    }
    cursor.jump(last)
    return last
  }
}

/**
 * Outlines the YAML document that begins at `from` (after a byte-order mark, directives and `---`). The text holds this one
 * document and is valid YAML 1.2; for other texts the outline is meaningless but the scan ends.
 * Throws `TooDeep` where collections nest deeper than `bounds.maxDepth`.
 */
export const scanYaml = (text: string, from: number, bounds: YamlBounds): YamlScan => {
  const scanner = new YamlScanner(text, from, bounds)
  scanner.node(-1, 'root', -1, -1)
  return scanner
}
