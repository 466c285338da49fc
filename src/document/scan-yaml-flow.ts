import { nodeKind } from './outline.ts'
import { isGap, type YamlCursor } from './yaml-cursor.ts'
import type { YamlNodes } from './yaml-nodes.ts'

/** Reads flow style: what is in brackets and braces (YAML 1.2.2, 7.4). */
export class YamlFlow {
  readonly #cursor: YamlCursor
  readonly #nodes: YamlNodes

  constructor(cursor: YamlCursor, nodes: YamlNodes) {
    this.#cursor = cursor
    this.#nodes = nodes
  }

  /** Reads the collection that begins at the cursor. */
  read(keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    this.#nodes.enter()
    const isMap = cursor.code() === 123
    const id = this.#nodes.open(isMap ? nodeKind.map : nodeKind.sequence, cursor.at, keyStart, keyEnd, anchor)
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
        if (isMap) this.#entry()
        else this.#item()
        if (cursor.at === before) cursor.at++
      }
    }
    this.#nodes.close(id, cursor.at)
    this.#nodes.leave()
  }

  /** One `key: value` of a flow map; a key alone has an empty value. */
  #entry(): void {
    const cursor = this.#cursor
    if (cursor.isIndicator(63)) {
      cursor.at++
      cursor.toContent()
    }
    const { outline } = this.#nodes
    const mark = outline.count
    const entries = outline.entries
    this.#node(-1, -1)
    const start = outline.start[mark] ?? cursor.at
    const end = outline.end[mark] ?? cursor.at
    if (outline.kind[mark] === nodeKind.map || outline.kind[mark] === nodeKind.sequence)
      this.#nodes.notices.push({ code: 'key-not-scalar', start, end })
    if (end - start === 2 && cursor.text.startsWith('<<', start)) this.#nodes.aliased = true
    this.#nodes.rewind(mark, entries)
    this.#value(start, end)
  }

  #value(start: number, end: number): void {
    const cursor = this.#cursor
    const { at, lineStart } = cursor
    cursor.toContent()
    if (cursor.code() === 58) {
      cursor.at++
      const after = cursor.at
      cursor.toContent()
      const c = cursor.code()
      if (c === 44 || c === 93 || c === 125) this.#nodes.empty(after, start, end, '')
      else this.#node(start, end)
      return
    }
    cursor.at = at
    cursor.lineStart = lineStart
    this.#nodes.empty(end, start, end, '')
  }

  /** One item of a flow sequence; `a: b` in it is a map of one entry. */
  #item(): void {
    const cursor = this.#cursor
    const { outline } = this.#nodes
    const mark = outline.count
    const begin = cursor.at
    const explicit = cursor.isIndicator(63)
    if (!explicit) {
      this.#node(-1, -1)
      const { at, lineStart } = cursor
      const line = cursor.lineStart
      const pair = cursor.toContent() >= 0 && cursor.code() === 58 && cursor.lineStart === line
      cursor.at = at
      cursor.lineStart = lineStart
      if (!pair) return
      const first = outline.start[mark] ?? begin
      const last = outline.end[mark] ?? begin
      this.#nodes.rewind(mark, outline.entries)
      const id = this.#nodes.open(nodeKind.map, first, -1, -1, '')
      this.#value(first, last)
      this.#nodes.close(id, this.#nodes.end)
      return
    }
    const id = this.#nodes.open(nodeKind.map, begin, -1, -1, '')
    this.#entry()
    this.#nodes.close(id, this.#nodes.end)
  }

  #node(keyStart: number, keyEnd: number): void {
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
    if (c === 42) return this.#nodes.alias(keyStart, keyEnd, true)
    if (c === 91 || c === 123) return this.read(keyStart, keyEnd, anchor)
    if (c === 34 || c === 39) {
      cursor.jump(cursor.quotedEnd(start))
      return this.#nodes.scalar(start, cursor.at, keyStart, keyEnd, anchor)
    }
    const end = this.#plainEnd()
    if (end === start) return this.#nodes.empty(after, keyStart, keyEnd, anchor)
    this.#nodes.scalar(start, end, keyStart, keyEnd, anchor)
  }

  #plainEnd(): number {
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
