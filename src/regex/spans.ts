/** Sets of code points, as the classes and escapes of regular expressions name them. */
import type { AST } from '@eslint-community/regexpp'

/** An inclusive range of code points. */
export type Span = readonly [number, number]

export const lastPoint = 0x10ffff
export const anything: readonly Span[] = [[0, lastPoint]]

const digit: readonly Span[] = [[48, 57]]
const word: readonly Span[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const space: readonly Span[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
export const lineEnds: readonly Span[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]

/** The spans in order, those that touch joined. */
export const inOrder = (spans: readonly Span[]): Span[] => {
  const merged: [number, number][] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** The code points that no span holds. */
export const complement = (spans: readonly Span[]): Span[] => {
  const out: Span[] = []
  let next = 0
  for (const [from, to] of inOrder(spans)) {
    if (from > next) out.push([next, from - 1])
    next = to + 1
  }
  if (next <= lastPoint) out.push([next, lastPoint])
  return out
}

/** The span of one character. */
export const one = (character: string): Span[] => {
  const point = character.codePointAt(0) as number
  return [[point, point]]
}

const properties = new Map<string, readonly Span[]>()
const block = 0x10000

/** The code points with a Unicode property such as "L" or "Script=Greek", as the runtime knows them. */
function withProperty(name: string): readonly Span[] {
  const known = properties.get(name)
  if (known !== undefined) return known
  const runs = new RegExp(`\\p{${name}}+`, 'gu')
  const spans: [number, number][] = []
  for (let first = 0; first <= lastPoint; first += block) {
    const points: number[] = []
    // Surrogates alone are not characters.
    for (let point = first; point < first + block; point++) if (point < 0xd800 || point > 0xdfff) points.push(point)
    const text = points.map((point) => String.fromCodePoint(point)).join('')
    for (const [run] of text.matchAll(runs)) {
      const from = run.codePointAt(0) as number
      let to = from
      for (const point of run) to = point.codePointAt(0) as number
      const last = spans.at(-1)
      if (last !== undefined && last[1] + 1 === from) last[1] = to
      else spans.push([from, to])
    }
  }
  properties.set(name, spans)
  return spans
}

/** The code points of an escape such as `\d` or `\p{L}`; null where it matches strings of several characters. */
export function setOf(node: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet): readonly Span[] | null {
  if (node.kind !== 'property') {
    const spans = { digit, space, word }[node.kind]
    return node.negate ? complement(spans) : spans
  }
  if (node.strings) return null
  const spans = withProperty(node.value === null ? node.key : `${node.key}=${node.value}`)
  return node.negate ? complement(spans) : spans
}

const isHalf = ({ value }: AST.Character): boolean => value >= 0xd800 && value <= 0xdfff

/** The code points of the members of a class; null where they are not all code points. */
export function spansOfElements(elements: readonly AST.CharacterClassElement[]): Span[] | null {
  const spans: Span[] = []
  for (const it of elements) {
    if (it.type === 'Character') {
      if (isHalf(it)) return null
      spans.push([it.value, it.value])
    } else if (it.type === 'CharacterClassRange') {
      if (isHalf(it.min) || isHalf(it.max)) return null
      spans.push([it.min.value, it.max.value])
    } else if (it.type === 'CharacterSet') {
      const set = setOf(it)
      if (set === null) return null
      spans.push(...set)
    } else return null
  }
  return spans
}
