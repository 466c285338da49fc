import { compareNumbers, isNumeric } from '../document/exact.ts'
import type { Numeric } from '../document/exact.ts'
import type { Json } from '../kernel/json.ts'
import { isObject } from '../kernel/json.ts'
import { fitsFormat } from './validation/formats.ts'
import { canonical, numberFormats, typeBit, typeOf } from './node.ts'
import type { Node } from './node.ts'
import { isMultiple } from './numbers.ts'
import { compilePattern, matches } from './pattern.ts'
import { toPattern } from './validation/pattern.ts'

/** Formats whose strings can be checked, each with strings that fit it. */
export const formatSamples: ReadonlyMap<string, readonly string[]> = new Map([
  ['date', ['2024-01-31']],
  ['time', ['12:30:00Z']],
  ['date-time', ['2024-01-31T12:30:00Z']],
  ['duration', ['P1D']],
  ['uri', ['https://example.com/', 'urn:a:b']],
  ['uri-reference', ['/a', 'https://example.com/', '']],
  ['uri-template', ['/a/{b}', '/a']],
  ['email', ['a@example.com']],
  ['hostname', ['example.com', 'a']],
  ['ipv4', ['192.0.2.1']],
  ['ipv6', ['2001:db8::1']],
  ['regex', ['^a$', 'a', '']],
  ['uuid', ['123e4567-e89b-42d3-a456-426614174000']],
  ['json-pointer', ['/a', '']],
  ['relative-json-pointer', ['0', '1/a']],
  ['byte', ['YWJj', '']],
])

/** Formats that are within others. */
export const widerFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ['uri', ['uri-reference', 'iri', 'iri-reference']],
  ['uri-reference', ['iri-reference']],
  ['iri', ['iri-reference']],
  ['email', ['idn-email']],
  ['hostname', ['idn-hostname']],
  ...numberFormats,
])

/** Whether a text matches a pattern; null where the pattern cannot be read. */
export const patternTest = (source: string, text: string): boolean | null => {
  const automaton = compilePattern(source)
  return automaton ? matches(automaton, text) : (toPattern(source)?.test(text) ?? null)
}

const invert = (answer: boolean | null): boolean | null => (answer === null ? null : !answer)

/** The length of a text in code points, as JSON Schema counts it. */
export const pointsOf = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Nodes within nodes deeper than this are not looked at. */
const deepest = 1500

/** Says whether nodes hold for values; each node is asked once for each part of a value. */
export class Checker {
  private readonly resolve: (key: string) => Node
  private readonly spend: (steps: number) => void
  private memo = new Map<Node, Map<Json, boolean | null>>()
  private depth = 0

  /** `resolve` finds the node of a reference; `spend` counts the steps. */
  constructor(resolve: (key: string) => Node, spend: (steps: number) => void) {
    this.resolve = resolve
    this.spend = spend
  }

  /**
   * Whether a node holds for a value: true, false, or null where it cannot be decided (an opaque part, a format that cannot be
   * checked).
   */
  accepts(node: Node, value: Json): boolean | null {
    this.depth = 0
    if (this.memo.size > 0) this.memo = new Map()
    return this.ask(node, value)
  }

  private readonly ask = (node: Node, value: Json): boolean | null => {
    if (!composite.has(node.op)) return this.find(node, value)
    let answers = this.memo.get(node)
    const known = answers?.get(value)
    if (known !== undefined) return known
    if (this.depth > deepest) return null
    this.spend(0.05)
    if (!answers) this.memo.set(node, (answers = new Map()))
    // A node that needs itself for the same value says nothing about it.
    answers.set(value, null)
    this.depth++
    const answer = this.find(node, value)
    this.depth--
    answers.set(value, answer)
    return answer
  }

  private find(node: Node, value: Json): boolean | null {
    switch (node.op) {
      case 'true':
        return true
      case 'false':
        return false
      case 'all':
        return every(node.parts, (part) => this.ask(part, value))
      case 'any':
        return invert(every(node.parts, (part) => invert(this.ask(part, value))))
      case 'one':
        return this.exactlyOne(node.parts, value)
      case 'not':
        return invert(this.ask(node.part, value))
      case 'ref':
        return this.ask(this.resolve(node.key), value)
      case 'types':
        return (node.mask & typeBit[typeOf(value)]) !== 0
      case 'values':
        return node.keys.has(canonical(value))
      case 'opaque':
        return null
      default:
        break
    }
    if (isNumeric(value)) return acceptsNumber(node, value)
    if (typeof value === 'string') return acceptsString(node, value)
    if (Array.isArray(value)) return acceptsArray(node, value, this.ask)
    if (isObject(value)) return acceptsObject(node, value, this.ask)
    return true
  }

  private exactlyOne(parts: readonly Node[], value: Json): boolean | null {
    let yes = 0
    let open = false
    for (const part of parts) {
      const answer = this.ask(part, value)
      if (answer === true && ++yes > 1) return false
      if (answer === null) open = true
    }
    return open ? null : yes === 1
  }
}

/** Nodes that have others within. */
const composite: ReadonlySet<Node['op']> = new Set([
  'all',
  'any',
  'one',
  'not',
  'ref',
  'items',
  'contains',
  'object',
  'names',
])

/** Whether all of them hold; it ends with the first that does not. */
const every = <Part>(parts: Iterable<Part>, answer: (part: Part) => boolean | null): boolean | null => {
  let result: boolean | null = true
  for (const part of parts) {
    const found = answer(part)
    if (found === false) return false
    if (found === null) result = null
  }
  return result
}

const acceptsNumber = (node: Node, value: Numeric): boolean | null => {
  switch (node.op) {
    case 'min':
      return compareNumbers(value, node.bound) >= (node.exclusive ? Number.MIN_VALUE : 0)
    case 'max':
      return compareNumbers(value, node.bound) <= (node.exclusive ? -Number.MIN_VALUE : 0)
    case 'multiple':
      return isMultiple(value, node.step)
    case 'format':
      if (node.name === 'int32' || node.name === 'int64') return fitsFormat(node.name, value as Json)
      return numberFormats.has(node.name) ? null : true
    default:
      return true
  }
}

const acceptsString = (node: Node, value: string): boolean | null => {
  switch (node.op) {
    case 'minLength':
      return pointsOf(value) >= node.count
    case 'maxLength':
      return pointsOf(value) <= node.count
    case 'pattern':
      return patternTest(node.source, value)
    case 'format':
      if (numberFormats.has(node.name)) return true
      return formatSamples.has(node.name) ? fitsFormat(node.name, value) : null
    default:
      return true
  }
}

type Next = (part: Node, value: Json) => boolean | null

const acceptsArray = (node: Node, value: readonly Json[], next: Next): boolean | null => {
  switch (node.op) {
    case 'minItems':
      return value.length >= node.count
    case 'maxItems':
      return value.length <= node.count
    case 'unique':
      return new Set(value.map(canonical)).size === value.length
    case 'items':
      return every(value.entries(), ([i, it]) => next(node.prefix[i] ?? node.rest, it))
    case 'contains': {
      const answers = value.map((it) => next(node.part, it))
      const sure = answers.filter((answer) => answer === true).length
      const perhaps = sure + answers.filter((answer) => answer === null).length
      if (perhaps < node.min || sure > node.max) return false
      return sure >= node.min && perhaps <= node.max ? true : null
    }
    default:
      return true
  }
}

const acceptsObject = (node: Node, value: { readonly [key: string]: Json }, next: Next): boolean | null => {
  const keys = Object.keys(value)
  switch (node.op) {
    case 'minProperties':
      return keys.length >= node.count
    case 'maxProperties':
      return keys.length <= node.count
    case 'required':
      return Object.hasOwn(value, node.name)
    case 'lacks':
      return !Object.hasOwn(value, node.name)
    case 'names':
      return every(keys, (key) => next(node.part, key))
    case 'object':
      return every(keys, (key) => {
        const parts = partsAt(node, key)
        return parts ? every(parts, (part) => next(part, value[key]!)) : null
      })
    default:
      return true
  }
}

/** The nodes that an object declaration applies to the property `key`; null where a pattern cannot be read. */
export const partsAt = (node: Extract<Node, { op: 'object' }>, key: string): readonly Node[] | null => {
  if (node.patterns.length === 0) return [node.named.get(key) ?? node.extra]
  let known = partsOf.get(node)
  if (!known) partsOf.set(node, (known = new Map()))
  let parts = known.get(key)
  if (parts === undefined) known.set(key, (parts = findParts(node, key)))
  return parts
}

const partsOf = new WeakMap<Node, Map<string, readonly Node[] | null>>()

const findParts = (node: Extract<Node, { op: 'object' }>, key: string): readonly Node[] | null => {
  const parts: Node[] = []
  const named = node.named.get(key)
  if (named) parts.push(named)
  for (const [source, part] of node.patterns) {
    const found = patternTest(source, key)
    if (found === null) return null
    if (found) parts.push(part)
  }
  return parts.length === 0 && !named ? [node.extra] : parts
}
