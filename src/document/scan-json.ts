import { nodeKind, Outline } from './outline.ts'
import { TooDeep } from './too-deep.ts'

const readKey = (text: string, start: number, end: number): string => {
  const inner = text.slice(start + 1, end - 1)
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner
}

/**
 * Outlines a text that `JSON.parse` accepted; on other texts the outline is meaningless but the scan ends.
 * Throws `TooDeep` where arrays and objects nest deeper than `maxDepth`.
 */
export const scanJson = (text: string, maxDepth: number): Outline => {
  const outline = new Outline(text, readKey)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0

  const skipSpace = () => {
    for (;;) {
      const c = text.charCodeAt(at)
      if (c === 32 || c === 10 || c === 13 || c === 9) at++
      else return
    }
  }
  const skipString = () => {
    for (;;) {
      const quote = text.indexOf('"', at + 1)
      if (quote === -1) {
        at = text.length
        return
      }
      at = quote
      let back = quote - 1
      while (text.charCodeAt(back) === 92) back--
      if (((quote - 1 - back) & 1) === 0) {
        at++
        return
      }
    }
  }
  const skipLiteral = () => {
    for (;;) {
      const c = text.charCodeAt(at)
      if (c === 44 || c === 125 || c === 93 || c <= 32 || Number.isNaN(c)) return
      at++
    }
  }
  const value = (keyStart: number, keyEnd: number, depth: number) => {
    const c = text.charCodeAt(at)
    if (c !== 123 && c !== 91) {
      const id = outline.open(nodeKind.scalar, at, keyStart, keyEnd)
      if (c === 34) skipString()
      else skipLiteral()
      outline.end[id] = at
      return
    }
    if (depth >= maxDepth) throw new TooDeep(at)
    const isMap = c === 123
    const id = outline.open(isMap ? nodeKind.map : nodeKind.sequence, at, keyStart, keyEnd)
    at++
    skipSpace()
    const close = isMap ? 125 : 93
    if (text.charCodeAt(at) === close) at++
    else
      while (at < text.length) {
        skipSpace()
        if (isMap) {
          const start = at
          skipString()
          const end = at
          skipSpace()
          at++
          skipSpace()
          value(start, end, depth + 1)
        } else value(-1, -1, depth + 1)
        skipSpace()
        if (text.charCodeAt(at++) !== 44) break
      }
    outline.close(id, at)
  }
  skipSpace()
  value(-1, -1, 0)
  return outline
}
