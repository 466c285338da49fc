/** JSONPath (RFC 9535) in the dialect of Spectral's rulesets: `~` for keys, `^` for the parent, unquoted lists. */
import { ExpressionError, parseExpression, type Expression } from './expression.ts'

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number | null; readonly to: number | null; readonly step: number }
  | { readonly kind: 'filter'; readonly test: Expression }

/** One step: children that a selector takes, or with `descendant` those of every node below too. */
export interface Segment {
  readonly descendant: boolean
  readonly selectors: readonly Selector[]
}

export interface JsonPath {
  readonly text: string
  readonly segments: readonly Segment[]
  /** How many times `^` stands at the end: the match is so many levels above. */
  readonly parents: number
  /** `~` at the end: the match is the key. */
  readonly keys: boolean
}

/** The path cannot be read; `offset` counts characters from its beginning. */
export class PathError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const namePattern = /[^\s.[\]()~^,'"]+/y

/** The index of the bracket that closes the one at `start`, past texts, regular expressions and nested brackets. */
function closing(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const char = text[index]
    if (char === '"' || char === "'") {
      index = endOfQuoted(text, index)
      if (index < 0) break
    } else if (char === '/' && /[(,=!&|~\s]/.test(text[index - 1] ?? '')) {
      index = endOfQuoted(text, index)
      if (index < 0) break
    } else if (char === '[' || char === '(') depth += 1
    else if (char === ']' || char === ')') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  throw new PathError('a bracket is not closed', start)
}

function endOfQuoted(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index += 1
    else if (text[index] === text[start]) return index
  }
  return -1
}

/** Splits at commas that stand outside of texts. */
function splitList(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"' || text[index] === "'") index = Math.max(index, endOfQuoted(text, index))
    else if (text[index] === ',') {
      parts.push(text.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim())
}

function selectorOf(part: string, offset: number): Selector {
  if (part === '*') return { kind: 'wildcard' }
  if (/^-?\d+$/.test(part)) return { kind: 'index', index: Number(part) }
  const slice = /^(-?\d*):(-?\d*)(?::(-?\d+))?$/.exec(part)
  const number = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text))
  if (slice) return { kind: 'slice', from: number(slice[1]), to: number(slice[2]), step: number(slice[3]) ?? 1 }
  const quoted = /^(['"])(.*)\1$/s.exec(part)
  if (quoted) return { kind: 'name', name: (quoted[2] ?? '').replaceAll(/\\(.)/g, '$1') }
  if (part === '') throw new PathError('a selector is empty', offset)
  return { kind: 'name', name: part }
}

function bracketSelectors(inner: string, offset: number): Selector[] {
  const text = inner.trim()
  if (!text.startsWith('?')) return splitList(text).map((part) => selectorOf(part, offset))
  try {
    return [{ kind: 'filter', test: parseExpression(text.slice(1)) }]
  } catch (error) {
    if (error instanceof ExpressionError) throw new PathError(error.message, offset + error.offset + 1)
    throw error
  }
}

/**
 * Reads a JSONPath.
 * @throws PathError where it is none
 */
export function parsePath(text: string): JsonPath {
  const source = text.trim()
  if (!source.startsWith('$')) throw new PathError('a path begins with "$"', 0)
  const segments: Segment[] = []
  let parents = 0
  let keys = false
  let index = 1
  while (index < source.length) {
    const char = source[index]
    if (char === '^' || char === '~') {
      if (char === '^') parents += 1
      else keys = true
      index += 1
      continue
    }
    if (parents > 0 || keys) throw new PathError('after "^" and "~" the path must end', index)
    const descendant = source.startsWith('..', index)
    if (descendant) index += 2
    else if (char === '.') index += 1
    if (source[index] === '[') {
      const end = closing(source, index)
      segments.push({ descendant, selectors: bracketSelectors(source.slice(index + 1, end), index + 1) })
      index = end + 1
      continue
    }
    namePattern.lastIndex = index
    const name = namePattern.exec(source)?.[0]
    if (name === undefined) throw new PathError(`"${source.slice(index, index + 8)}" is no name`, index)
    segments.push({ descendant, selectors: [name === '*' ? { kind: 'wildcard' } : { kind: 'name', name }] })
    index += name.length
  }
  return { text: source, segments, parents, keys }
}
