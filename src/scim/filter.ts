/** Filters of SCIM (RFC 7644, section 3.4.2.2), parsed by descent and evaluated over kept resources. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { ScimFailure } from './failure.ts'
import { findAttribute, type Named, valuesOf } from './path.ts'
import type { Attributes, Schema } from './resource.ts'

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Comparison = (typeof comparisons)[number]

/** What a filter asks for. */
export type Filter =
  | { readonly kind: 'and'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly named: Named }
  | {
      readonly kind: 'compare'
      readonly named: Named
      readonly by: Comparison
      readonly value: string | number | boolean | null
    }
  | { readonly kind: 'within'; readonly named: Named; readonly of: Filter }

const maxLength = 4000
const maxDepth = 30
const token = /\s*(?:(?<punctuation>[()[\]])|(?<text>"(?:[^"\\]|\\.)*")|(?<word>[^\s()[\]"]+))/y

interface Token {
  readonly kind: 'punctuation' | 'text' | 'word'
  readonly text: string
}

const fail = (reason: string): ScimFailure => new ScimFailure('invalidFilter', reason)

function tokensOf(filter: string): Token[] {
  if (filter.length > maxLength) throw fail(`a filter has at most ${maxLength} characters`)
  const tokens: Token[] = []
  const text = filter.trimEnd()
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const groups = token.exec(text)?.groups
    if (groups === undefined) throw fail(`it cannot be read at character ${at + 1}`)
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? []
    tokens.push({ kind: kind as Token['kind'], text: found ?? '' })
  }
  return tokens
}

/** The attributes of a list as a schema of their own, for what is between brackets. */
const partsSchema = (parts: Attributes): Schema => ({ urn: '', attributes: parts, extensions: {} })

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isDone(): boolean {
    return this.#at >= this.#tokens.length
  }

  #peek(text: string): boolean {
    const found = this.#tokens[this.#at]
    return found !== undefined && found.kind !== 'text' && found.text.toLowerCase() === text
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw fail(`"${text}" is missing`)
  }

  #next(what: string): Token {
    const found = this.#tokens[this.#at++]
    if (found === undefined) throw fail(`${what} is missing at its end`)
    return found
  }

  either(schema: Schema): Filter {
    if (++this.#depth > maxDepth) throw fail(`it is nested deeper than ${maxDepth}`)
    let left = this.#both(schema)
    while (this.#take('or')) left = { kind: 'or', left, right: this.#both(schema) }
    this.#depth -= 1
    return left
  }

  #both(schema: Schema): Filter {
    let left = this.#one(schema)
    while (this.#take('and')) left = { kind: 'and', left, right: this.#one(schema) }
    return left
  }

  #one(schema: Schema): Filter {
    if (this.#take('not')) {
      this.#expect('(')
      const of = this.either(schema)
      this.#expect(')')
      return { kind: 'not', of }
    }
    if (this.#take('(')) {
      const of = this.either(schema)
      this.#expect(')')
      return of
    }
    const word = this.#next('an attribute')
    const named = word.kind === 'word' ? findAttribute(schema, word.text) : null
    if (named === null) throw fail(`"${word.text}" is no attribute of this resource`)
    if (this.#take('[')) {
      if (named.attribute.parts === undefined || named.part !== null) throw fail(`"${word.text}" has no parts`)
      const of = this.either(partsSchema(named.attribute.parts))
      this.#expect(']')
      return { kind: 'within', named, of }
    }
    if (this.#take('pr')) return { kind: 'present', named }
    const operator = this.#next('an operator').text.toLowerCase()
    const by = comparisons.find((it) => it === operator)
    if (by === undefined) throw fail(`"${operator}" is no operator; it is one of ${comparisons.join(', ')}, pr`)
    return { kind: 'compare', named, by, value: this.#value() }
  }

  #value(): string | number | boolean | null {
    const { kind, text } = this.#next('a value')
    try {
      // Entra ID writes True and False.
      const value: unknown = JSON.parse(kind === 'word' ? text.toLowerCase() : text)
      if (value === null || typeof value !== 'object') return value as string | number | boolean | null
    } catch {
      // Said below.
    }
    throw fail(`"${text}" is no value; texts are in double quotes`)
  }
}

/**
 * Reads a filter.
 * @throws ScimFailure `invalidFilter`, saying where it cannot be read
 */
export function parseFilter(schema: Schema, filter: string): Filter {
  const parser = new Parser(tokensOf(filter))
  const found = parser.either(schema)
  if (!parser.isDone) throw fail('it goes on after its end; join conditions with "and" or "or"')
  return found
}

const isExact = ({ attribute, part }: Named): boolean =>
  (part === null ? attribute : attribute.parts?.[part])?.isCaseExact === true

function compareTexts(by: Comparison, left: string, right: string): boolean {
  if (by === 'co') return left.includes(right)
  if (by === 'sw') return left.startsWith(right)
  if (by === 'ew') return left.endsWith(right)
  if (by === 'eq') return left === right
  if (by === 'ne') return left !== right
  if (by === 'gt') return left > right
  if (by === 'ge') return left >= right
  return by === 'lt' ? left < right : left <= right
}

function compare(named: Named, by: Comparison, found: Json, wanted: string | number | boolean | null): boolean {
  // A list without a part is compared by its values.
  const value = isObject(found) ? (found['value'] ?? null) : found
  if (typeof value === 'boolean' || typeof wanted === 'boolean') {
    const same = String(value).toLowerCase() === String(wanted).toLowerCase()
    return by === 'eq' ? same : by === 'ne' && !same
  }
  if (value === null || wanted === null) return by === 'ne'
  const [left, right] = [String(value), String(wanted)]
  return isExact(named) ? compareTexts(by, left, right) : compareTexts(by, left.toLowerCase(), right.toLowerCase())
}

/** Whether a resource is what a filter asks for. */
export function fitsFilter(filter: Filter, resource: JsonObject): boolean {
  if (filter.kind === 'and') return fitsFilter(filter.left, resource) && fitsFilter(filter.right, resource)
  if (filter.kind === 'or') return fitsFilter(filter.left, resource) || fitsFilter(filter.right, resource)
  if (filter.kind === 'not') return !fitsFilter(filter.of, resource)
  const values = valuesOf(resource, filter.named)
  if (filter.kind === 'present') return values.some((it) => it !== null && it !== '')
  if (filter.kind === 'within') return values.some((it) => isObject(it) && fitsFilter(filter.of, it))
  const { by, value } = filter
  // Absent is not equal to a value, and equal to null (RFC 7643, section 2.5).
  if (values.length === 0) return by === 'ne' ? value !== null : by === 'eq' && value === null
  return by === 'ne'
    ? values.every((it) => compare(filter.named, by, it, value))
    : values.some((it) => compare(filter.named, by, it, value))
}

/** The text that one attribute must equal for a filter that asks for nothing else: a search for one resource. */
export const exactText = (filter: Filter, name: string): string | null =>
  filter.kind === 'compare' &&
  filter.by === 'eq' &&
  filter.named.extension === null &&
  filter.named.name === name &&
  typeof filter.value === 'string'
    ? filter.value
    : null
