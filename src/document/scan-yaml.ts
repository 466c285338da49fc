import { nodeKind, type Outline } from './outline.ts'
import { YamlFlow } from './scan-yaml-flow.ts'
import { isBreak, isGap, YamlCursor } from './yaml-cursor.ts'
import { type YamlBounds, YamlNodes, type YamlNotice } from './yaml-nodes.ts'

export type { YamlNotice } from './yaml-nodes.ts'

export interface YamlScan {
  readonly outline: Outline
  readonly notices: readonly YamlNotice[]
  /** Whether aliases or merge keys make the value differ from the written nodes. */
  readonly aliased: boolean
}

/** The position of a block node: at the root, as the value of a key, or after `- ` (where a collection may begin on the same line). */
type Place = 'root' | 'value' | 'item'

// Reads block style.
class YamlScanner {
  readonly nodes: YamlNodes
  readonly #cursor: YamlCursor
  readonly #flow: YamlFlow

  constructor(text: string, from: number, bounds: YamlBounds) {
    this.#cursor = new YamlCursor(text, from)
    this.nodes = new YamlNodes(this.#cursor, bounds)
    this.#flow = new YamlFlow(this.#cursor, this.nodes)
  }

  /** Reads the one document of the text. */
  run(): void {
    this.node(-1, 'root', -1, -1)
    this.nodes.finish()
  }

  /** Reads the block node that follows; `parent` is the column of the collection that holds it, -1 at the root. */
  node(parent: number, place: Place, keyStart: number, keyEnd: number): void {
    const cursor = this.#cursor
    const after = cursor.at
    const line = place === 'root' && cursor.at === cursor.lineStart ? -1 : cursor.lineStart
    let anchor = ''
    let tagged = false
    // The line on which no key is: it is looked for once, however many properties are before the node.
    let keyless = -1
    for (;;) {
      const column = cursor.toContent()
      const fresh = cursor.lineStart !== line
      if (
        column < 0 ||
        (fresh && column <= parent && !(place === 'value' && column === parent && cursor.isIndicator(45)))
      )
        return this.nodes.empty(after, keyStart, keyEnd, anchor)
      const c = cursor.code()
      if (fresh || (place === 'item' && !tagged)) {
        if (cursor.isIndicator(45)) return this.#sequence(column, keyStart, keyEnd, anchor)
        if (cursor.isIndicator(63) || (cursor.lineStart !== keyless && cursor.implicitColon(cursor.at) >= 0))
          return this.#map(column, keyStart, keyEnd, anchor)
        keyless = cursor.lineStart
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
    if (c === 42) return this.nodes.alias(keyStart, keyEnd, false)
    if (c === 91 || c === 123) return this.#flow.read(keyStart, keyEnd, anchor)
    if (c === 34 || c === 39) {
      cursor.jump(cursor.quotedEnd(start))
      return this.nodes.scalar(start, cursor.at, keyStart, keyEnd, anchor)
    }
    if (c === 124 || c === 62) return this.nodes.scalar(start, this.#blockScalarEnd(parent), keyStart, keyEnd, anchor)
    this.nodes.scalar(start, this.#plainEnd(parent), keyStart, keyEnd, anchor)
  }

  #sequence(column: number, keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    this.nodes.enter()
    const id = this.nodes.open(nodeKind.sequence, cursor.at, keyStart, keyEnd, anchor)
    do {
      cursor.at++
      this.node(column, 'item', -1, -1)
    } while (cursor.toContent() === column && cursor.isIndicator(45))
    this.nodes.close(id, this.nodes.end)
    this.nodes.leave()
  }

  #map(column: number, keyStart: number, keyEnd: number, anchor: string): void {
    const cursor = this.#cursor
    this.nodes.enter()
    const id = this.nodes.open(nodeKind.map, cursor.at, keyStart, keyEnd, anchor)
    do {
      if (cursor.isIndicator(63)) this.#explicitEntry(column)
      else {
        const colon = cursor.implicitColon(cursor.at)
        if (colon < 0) break
        this.#implicitEntry(column, colon)
      }
    } while (cursor.toContent() === column && !cursor.isIndicator(45))
    this.nodes.close(id, this.nodes.end)
    this.nodes.leave()
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
    this.nodes.nameKey(anchor)
    const c = cursor.code(start)
    if (c === 91 || c === 123) this.nodes.notices.push({ code: 'key-not-scalar', start, end })
    if (c === 60 && end - start === 2 && cursor.code(start + 1) === 60) this.nodes.aliased = true
    if (c === 42) this.nodes.aliased = true
    cursor.at = colon + 1
    this.node(column, 'value', start, end)
  }

  #explicitEntry(column: number): void {
    const cursor = this.#cursor
    const { outline } = this.nodes
    const question = cursor.at
    cursor.at++
    const mark = outline.count
    const entries = outline.entries
    this.node(column, 'item', -1, -1)
    const start = outline.start[mark] ?? question
    const end = outline.end[mark] ?? start
    if (outline.kind[mark] !== nodeKind.scalar) this.nodes.notices.push({ code: 'key-not-scalar', start, end })
    this.nodes.rewind(mark, entries)
    const at = cursor.at
    if (cursor.toContent() === column && cursor.isIndicator(58)) {
      cursor.at++
      this.node(column, 'item', start, end)
    } else {
      this.nodes.empty(Math.min(at, cursor.at), start, end, '')
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
}

/**
 * Outlines the YAML document that begins at `from` (after a byte-order mark, directives and `---`). The text holds this one
 * document and is valid YAML 1.2; for other texts the outline is meaningless but the scan ends.
 * Throws `TooDeep` where collections nest deeper than `bounds.maxDepth`.
 */
export const scanYaml = (text: string, from: number, bounds: YamlBounds): YamlScan => {
  const scanner = new YamlScanner(text, from, bounds)
  scanner.run()
  return scanner.nodes
}
