/** Conditions on requests as a tree, and what makes a tree valid. */
import { isIpField, nameProblem, readField, type Field } from './field.ts'
import { readNetwork } from './network.ts'

export const operators = ['eq', 'in', 'contains', 'starts', 'ends', 'matches', 'cidr', 'exists', 'lt', 'gt'] as const
export type Operator = (typeof operators)[number]

/** One condition on one part of a request. `exists` has no value, `in` and `cidr` a list. */
export interface Term {
  readonly field: string
  readonly op: Operator
  readonly value?: string | number | readonly string[] | readonly number[]
}
export type Expression =
  | { readonly and: readonly Expression[] }
  | { readonly or: readonly Expression[] }
  | { readonly not: Expression }
  | Term

export const mostTerms = 64
export const mostCharacters = 4096
/** How deep conditions are nested at most. */
export const deepest = 32
const mostListed = 256

/** What is wrong with an expression. */
export interface ExpressionProblem {
  readonly code: 'rule-expression-invalid' | 'rule-too-complex' | 'rule-expression-too-long'
  readonly reason: string
  /** JSON Pointer in the tree; "" for the whole. */
  readonly pointer: string
}

export class InvalidExpression extends Error {
  readonly problem: ExpressionProblem
  constructor(reason: string, pointer: string, code: ExpressionProblem['code'] = 'rule-expression-invalid') {
    super(reason)
    this.problem = { code, reason, pointer }
  }
}

export const isTerm = (it: Expression): it is Term => 'field' in it

/** The conditions of an expression, from left to right. */
export function termsOf(it: Expression): Term[] {
  if (isTerm(it)) return [it]
  if ('not' in it) return termsOf(it.not)
  return ('and' in it ? it.and : it.or).flatMap(termsOf)
}

const opsOf: Readonly<Record<Field['type'], readonly Operator[]>> = {
  ip: ['eq', 'in', 'cidr'],
  method: ['eq', 'in'],
  text: ['eq', 'in', 'contains', 'starts', 'ends', 'matches'],
  route: ['eq', 'in', 'starts', 'exists'],
  named: ['eq', 'in', 'contains', 'starts', 'ends', 'matches', 'exists'],
  number: ['eq', 'in', 'lt', 'gt'],
  country: ['eq', 'in', 'exists'],
}

/** What a field can be compared by; addresses have one form, networks. */
export const operatorsOf = (field: Field): readonly Operator[] => (isIpField(field) ? ['cidr'] : opsOf[field.type])

const opWords = (field: Field): string => opsOf[field.type].join(', ')

function textValue(field: Field, value: unknown, at: string): string {
  if (typeof value !== 'string') throw new InvalidExpression(`${field.id} is compared with a text in double quotes`, at)
  if (!value.isWellFormed() || /[\0\r\n]/.test(value))
    throw new InvalidExpression('a text must not contain line ends, NUL or half of a surrogate pair', at)
  if (field.type === 'method') {
    const method = value.toUpperCase()
    if (!/^[A-Z][A-Z0-9_-]{0,31}$/.test(method)) throw new InvalidExpression(`"${value}" is not a method of HTTP`, at)
    return method
  }
  if (field.type === 'country') {
    const country = value.toUpperCase()
    if (!/^[A-Z]{2}$/.test(country))
      throw new InvalidExpression(`"${value}" is not a country code of two letters (ISO 3166)`, at)
    return country
  }
  if (field.type === 'ip') {
    const network = readNetwork(value)
    if (typeof network === 'string') throw new InvalidExpression(network, at)
    return network.text
  }
  return field.id === 'http.host' ? value.toLowerCase() : value
}

function numberValue(field: Field, value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new InvalidExpression(`${field.id} is compared with a whole number of bytes, 0 or more`, at)
}

function listValue<T>(value: unknown, at: string, one: (it: unknown, at: string) => T): T[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InvalidExpression('"in" and "cidr" take a list with at least one value, as ["a", "b"]', at)
  if (value.length > mostListed)
    throw new InvalidExpression(`a list has at most ${mostListed} values, not ${value.length}`, at, 'rule-too-complex')
  return value.map((it, index) => one(it, `${at}/${index}`))
}

function readValue(field: Field, op: Operator, value: unknown, at: string): Term['value'] {
  if (op === 'exists') {
    if (value !== undefined) throw new InvalidExpression('"exists" takes no value', at)
    return undefined
  }
  if (field.type === 'number') {
    return op === 'in'
      ? listValue(value, at, (it, place) => numberValue(field, it, place))
      : numberValue(field, value, at)
  }
  if (op === 'cidr' && typeof value === 'string') return [textValue(field, value, at)]
  if (op === 'in' || op === 'cidr') return listValue(value, at, (it, place) => textValue(field, it, place))
  const text = textValue(field, value, at)
  if (text === '' && op !== 'eq')
    throw new InvalidExpression(`every value ${op} an empty text; compare with "eq" or "exists"`, at)
  return text
}

/** @throws InvalidExpression */
function readTerm(given: Readonly<Record<string, unknown>>, at: string): Term {
  for (const key of Object.keys(given))
    if (!['field', 'op', 'value'].includes(key))
      throw new InvalidExpression(`unknown property "${key}"`, `${at}/${key}`)
  const field = typeof given['field'] === 'string' ? readField(given['field']) : 'field must be a text'
  if (typeof field === 'string') throw new InvalidExpression(field, `${at}/field`)
  const problem = nameProblem(field)
  if (problem !== null) throw new InvalidExpression(problem, `${at}/field`)
  const op = operators.find((it) => it === given['op'])
  if (op === undefined || !opsOf[field.type].includes(op))
    throw new InvalidExpression(`${field.id} can be compared with ${opWords(field)}`, `${at}/op`)
  const value = readValue(field, op, given['value'], `${at}/value`)
  if (value === undefined) return { field: field.id, op }
  // Addresses are networks of one: there is one form for all of them.
  return isIpField(field)
    ? { field: field.id, op: 'cidr', value: [value].flat() as string[] }
    : { field: field.id, op, value }
}

function readNode(given: unknown, at: string, depth: number, left: { terms: number }): Expression {
  if (depth > deepest)
    throw new InvalidExpression(`conditions are nested more than ${deepest} deep`, at, 'rule-too-complex')
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InvalidExpression('an expression is {and: […]}, {or: […]}, {not: …} or {field, op, value}', at)
  const node = given as Readonly<Record<string, unknown>>
  const keys = Object.keys(node)
  if (keys.length === 1 && 'not' in node) return { not: readNode(node['not'], `${at}/not`, depth + 1, left) }
  const joint = keys.length === 1 && 'and' in node ? 'and' : keys.length === 1 && 'or' in node ? 'or' : null
  if (joint === null) {
    if (--left.terms < 0)
      throw new InvalidExpression(`an expression has at most ${mostTerms} conditions`, at, 'rule-too-complex')
    return readTerm(node, at)
  }
  const parts = node[joint]
  if (!Array.isArray(parts) || parts.length === 0)
    throw new InvalidExpression(`"${joint}" takes a list of conditions`, `${at}/${joint}`)
  if (parts.length > mostTerms)
    throw new InvalidExpression(`an expression has at most ${mostTerms} conditions`, at, 'rule-too-complex')
  const read = parts.map((it, index) => readNode(it, `${at}/${joint}/${index}`, depth + 1, left))
  const [only] = read
  if (read.length === 1 && only !== undefined) return only
  return joint === 'and' ? { and: read } : { or: read }
}

/**
 * Reads a tree as a client sends it and writes it in one form: methods and countries in capitals, hosts and names of headers in small
 * letters, networks without host bits, `ip.src` in a list as `cidr`, `and` and `or` of one condition as that condition.
 * @param given what a client sent
 * @returns the expression, which has at most 64 conditions and is at most 32 deep
 * @throws InvalidExpression with the place of the first problem
 */
export const readExpression = (given: unknown): Expression => readNode(given, '', 1, { terms: mostTerms })
