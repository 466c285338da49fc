import type { Json } from '../document/json.ts'
import { isObject } from '../document/json.ts'
import { fitsFormat } from './validation/formats.ts'
import { canonical, numberFormats, typeBit, typeOf } from './node.ts'
import type { Node } from './node.ts'
import { isMultiple } from './numbers.ts'
import { compilePattern, matches } from './pattern.ts'

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

/** Formats that lie within others. */
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
  if (automaton) return matches(automaton, text)
  try {
    return new RegExp(source, 'u').test(text)
  } catch {
    return null
  }
}

const both = (answers: Iterable<boolean | null>): boolean | null => {
  let result: boolean | null = true
  for (const answer of answers) {
    if (answer === false) return false
    if (answer === null) result = null
  }
  return result
}

const invert = (answer: boolean | null): boolean | null => (answer === null ? null : !answer)

/** The length of a text in code points, as JSON Schema counts it. */
export const pointsOf = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Whether a node holds for a value: true, false, or null where it cannot be told (an opaque part, a format nobody can
 * check). `resolve` finds the node of a reference.
 */
export const accepts = (node: Node, value: Json, resolve: (key: string) => Node, depth = 0): boolean | null => {
  if (depth > 300) return null
  const next = (part: Node, it: Json): boolean | null => accepts(part, it, resolve, depth + 1)
  const type = typeOf(value)
  switch (node.op) {
    case 'true':
      return true
    case 'false':
      return false
    case 'all':
      return both(node.parts.map((part) => next(part, value)))
    case 'any':
      return invert(both(node.parts.map((part) => invert(next(part, value)))))
    case 'one': {
      const answers = node.parts.map((part) => next(part, value))
      const yes = answers.filter((answer) => answer === true).length
      if (yes > 1) return false
      return answers.includes(null) ? null : yes === 1
    }
    case 'not':
      return invert(next(node.part, value))
    case 'ref':
      return next(resolve(node.key), value)
    case 'types':
      return (node.mask & typeBit[type]) !== 0
    case 'values':
      return node.keys.has(canonical(value))
    case 'opaque':
      return null
    default:
      break
  }
  if (typeof value === 'number') return acceptsNumber(node, value)
  if (typeof value === 'string') return acceptsString(node, value)
  if (Array.isArray(value)) return acceptsArray(node, value, next)
  if (isObject(value)) return acceptsObject(node, value, next)
  return true
}

const acceptsNumber = (node: Node, value: number): boolean | null => {
  switch (node.op) {
    case 'min':
      return node.exclusive ? value > node.bound : value >= node.bound
    case 'max':
      return node.exclusive ? value < node.bound : value <= node.bound
    case 'multiple':
      return isMultiple(value, node.step)
    case 'format':
      if (node.name === 'int32' || node.name === 'int64') return fitsFormat(node.name, value)
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
      return both(value.map((it, i) => next(node.prefix[i] ?? node.rest, it)))
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
      return both(keys.map((key) => next(node.part, key)))
    case 'object':
      return both(
        keys.map((key) => {
          const parts = partsAt(node, key)
          return parts ? both(parts.map((part) => next(part, value[key]!))) : null
        }),
      )
    default:
      return true
  }
}

/** The nodes that an object declaration applies to the property `key`; null where a pattern cannot be read. */
export const partsAt = (node: Extract<Node, { op: 'object' }>, key: string): readonly Node[] | null => {
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
