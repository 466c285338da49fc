/**
 * JSONPath in the dialect that published rulesets are written in: RFC 9535 with the extensions of JSONPath-Plus and
 * nimma ("~", "^", "@property" and its kin, unquoted lists, ".[", type tests).
 */
import { compileExpression, typeTest, type Evaluate, type Scope } from './evaluate.ts'
import { parseExpression, PathSyntaxError, readQuoted } from './expression.ts'
import { nothing, presupposed, type Presupposition } from './presuppose.ts'

export { PathSyntaxError } from './expression.ts'

/** One step from a node to its children. `deep` steps start at the node and at every descendant. */
export type Segment = { readonly deep: boolean } & (
  | { readonly kind: 'any' }
  | { readonly kind: 'names'; readonly names: ReadonlySet<string> }
  /** Text identifies the condition: two filters of one text share their answer. */
  | {
      readonly kind: 'filter'
      readonly text: string
      readonly test: (scope: Scope) => boolean
      readonly presupposed: Presupposition
    }
  | { readonly kind: 'parent' }
)

export interface JsonPath {
  readonly text: string
  readonly segments: readonly Segment[]
  /** "~" at the end: the keys of the matched nodes are meant, not the nodes. */
  readonly keys: boolean
}

/** Finds the "]" that closes the "[" at `open`, with regard to quotes and nesting. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const c = text[at]
    if (c === '"' || c === "'") {
      at = readQuoted(text, at)[1] - 1
    } else if (c === '/' && /[(,=~!&|]\s*$/.test(text.slice(Math.max(open, at - 3), at))) {
      // A regular expression literal: its brackets do not count.
      const end = /(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
      end.lastIndex = at + 1
      if (end.test(text)) at = end.lastIndex - 1
    } else if (c === '[' || c === '(') depth++
    else if ((c === ']' || c === ')') && --depth === 0) return at
  }
  throw new PathSyntaxError('unclosed bracket', open)
}

function splitList(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"' || text[at] === "'") at = readQuoted(text, at)[1] - 1
    else if (text[at] === ',') {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim())
}

const condition = (deep: boolean, text: string, evaluate: Evaluate, presupposes = nothing): Segment => ({
  deep,
  kind: 'filter',
  text,
  test: (scope) => Boolean(evaluate(scope)),
  presupposed: presupposes,
})

function sliceSegment(deep: boolean, text: string): Segment | null {
  const parts = /^(-?\d+)?\s*:\s*(-?\d+)?(?:\s*:\s*(-?\d+)?)?$/.exec(text)
  if (parts === null) return null
  const [from, to, step] = [parts[1], parts[2], parts[3]].map((it) => (it === undefined ? null : Number(it)))
  const stride = step ?? 1
  return condition(deep, text, ({ container, property }) => {
    if (!Array.isArray(container) || typeof property !== 'number' || stride === 0) return false
    const size = container.length
    const place = (at: number) => (at < 0 ? at + size : at)
    if (stride < 0) {
      const [high, low] = [from == null ? size - 1 : Math.min(place(from), size - 1), to == null ? -1 : place(to)]
      return property <= high && property > low && (high - property) % -stride === 0
    }
    const [low, high] = [from == null ? 0 : Math.max(0, place(from)), to == null ? size : place(to)]
    return property >= low && property < high && (property - low) % stride === 0
  })
}

const onContainer = (scope: Scope): Scope => ({
  value: scope.container,
  property: scope.property,
  container: scope.container,
  parent: scope.parent,
  parentProperty: scope.parentProperty,
  root: scope.root,
  path: () => scope.path(),
})

/** "(@.length-1)": an expression over the parent that yields a key. */
function scriptSegment(deep: boolean, text: string): Segment {
  const evaluate = compileExpression(parseExpression(text))
  return condition(deep, text, (scope) => String(evaluate(onContainer(scope))) === String(scope.property))
}

function bracketSegment(deep: boolean, raw: string, at: number): Segment {
  const inner = raw.trim()
  if (inner === '*') return { deep, kind: 'any' }
  if (inner.startsWith('?')) {
    const expression = parseExpression(inner.slice(1))
    return condition(deep, inner, compileExpression(expression), presupposed(expression))
  }
  if (inner.startsWith('(')) return scriptSegment(deep, inner)
  const slice = sliceSegment(deep, inner)
  if (slice !== null) return slice
  if (inner === '') throw new PathSyntaxError('empty brackets', at)
  const parts = splitList(inner)
  if (parts.includes('')) throw new PathSyntaxError('empty name in a list', at)
  if (parts.length === 1 && /^-\d+$/.test(inner)) return scriptSegment(deep, `@.length + ${inner}`)
  const names = parts.map((part) => (part[0] === '"' || part[0] === "'" ? readQuoted(part, 0)[0] : part))
  return { deep, kind: 'names', names: new Set(names) }
}

class PathReader {
  private at = 0
  private readonly text: string
  private readonly segments: Segment[] = []
  private keys = false
  constructor(text: string) {
    this.text = text
  }

  read(): JsonPath {
    // "$ref" is a name, as in the field of a rule.
    if (this.text[0] === '$' && !/\w/.test(this.text[1] ?? '')) this.at = 1
    // "info.title" and ".info" begin at the root as well.
    else if (this.text[0] !== '.' && this.text[0] !== '[') this.name(false)
    for (this.space(); this.at < this.text.length; this.space()) this.step()
    return { text: this.text, segments: this.segments, keys: this.keys }
  }

  /** Space between the steps means nothing (RFC 9535, section 2.1.1). */
  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  private step(): void {
    const { text } = this
    const c = text[this.at]
    if (this.keys) throw new PathSyntaxError('nothing is allowed after "~"', this.at)
    if (c === '^') {
      this.at++
      this.segments.push({ deep: false, kind: 'parent' })
    } else if (c === '~') {
      this.at++
      this.keys = true
    } else if (c === '@') this.typeTest()
    else if (c === '.' || c === '[') {
      // Three dots are two with one too many.
      const from = this.at
      while (text[this.at] === '.') this.at++
      const deep = this.at - from > 1
      const isDotted = this.at > from
      this.space()
      // JSONPath-Plus, to which Spectral hands ".[", reads it as "..[".
      if (text[this.at] === '[') this.bracket(isDotted)
      else if (deep || this.at < text.length) this.name(deep)
    } else if (this.text.slice(this.at - 1) === ']]') {
      // One bracket too many at the end, which Spectral overlooks as well.
      this.at++
    } else throw new PathSyntaxError(`unexpected "${c}"`, this.at)
  }

  private bracket(deep: boolean): void {
    const end = closing(this.text, this.at)
    this.segments.push(bracketSegment(deep, this.text.slice(this.at + 1, end), this.at))
    this.at = end + 1
  }

  private name(deep: boolean): void {
    if (this.text[this.at] === '^') {
      if (deep) throw new PathSyntaxError('expected a name', this.at)
      return
    }
    const found = /[^.[\]^~@\s]+/y
    found.lastIndex = this.at
    const name = found.exec(this.text)?.[0]
    if (name === undefined) throw new PathSyntaxError('expected a name', this.at)
    this.at = found.lastIndex
    this.segments.push(name === '*' ? { deep, kind: 'any' } : { deep, kind: 'names', names: new Set([name]) })
  }

  /** "*@number()": the nodes matched so far that are of a type. */
  private typeTest(): void {
    const found = /@([A-Za-z]+)\(\)/y
    found.lastIndex = this.at
    const name = found.exec(this.text)?.[1]
    const test = name === undefined ? null : typeTest(name)
    const last = this.segments.pop()
    if (test === null || last === undefined || last.kind === 'parent')
      throw new PathSyntaxError('misplaced type test', this.at)
    this.at = found.lastIndex
    const before = matcher(last)
    const text = this.text.slice(0, this.at)
    this.segments.push(condition(last.deep, text, (scope) => before(scope) && test(scope.value)))
  }
}

/** Whether a segment matches one child, given as a scope. */
export function matcher(segment: Segment): (scope: Scope) => boolean {
  if (segment.kind === 'any') return () => true
  if (segment.kind === 'names') return (scope) => segment.names.has(String(scope.property))
  return segment.kind === 'filter' ? segment.test : () => false
}

/**
 * Reads a JSONPath.
 * @throws PathSyntaxError with the offset of what cannot be read
 */
export const parsePath = (text: string): JsonPath => new PathReader(text.trim()).read()

/**
 * The paths that a `given` means. JSONPath-Plus reads ".." at the end as the node and every object and array below it, which
 * takes three paths here.
 * @throws PathSyntaxError with the offset of what cannot be read
 */
export function parseGiven(text: string): readonly JsonPath[] {
  const path = text.trim()
  let end = path.length
  while (path[end - 1] === '.') end--
  if (path.length - end < 2) return [parsePath(path)]
  const node = end === 0 ? '$' : path.slice(0, end)
  return [parsePath(node), parsePath(`${node}..*@object()`), parsePath(`${node}..*@array()`)]
}
