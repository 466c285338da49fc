/** Simple conditions (Arazzo 1.1.0, "Criterion Object"): literals, operators, loose comparisons and runtime expressions. */
import type { Json } from '../kernel/json.ts'
import { canonicalJson } from '../kernel/canonical.ts'
import { parseExpression, type Expression, type Steps } from './expression.ts'
import { ConditionInvalid } from './faults.ts'
import { evaluate, valueAt, type Scope } from './scope.ts'

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A condition as a tree. */
export type Condition =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'expression'; readonly text: string; readonly expression: Expression; readonly steps: Steps }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly all: readonly Condition[] }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly left: Condition; readonly right: Condition }

const maxLength = 10_000
const maxDepth = 100

const operators = /^(?:==|!=|<=|>=|&&|\|\||[<>!()])/
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/
const word = /^(?:true|false|null)(?![\w.-])/

interface Token {
  readonly text: string
  readonly operand: Condition | null
}

/** The longest beginning of an operand that is an expression; what follows dereferences its value. */
function readOperand(text: string): Condition {
  const whole = parseExpression(text)
  if (whole !== null) return { kind: 'expression', text, expression: whole, steps: [] }
  for (const { index } of [...text.matchAll(/[.[]/g)].toReversed()) {
    const [start, access] = [text.slice(0, index), text.slice(index)]
    const expression = parseExpression(start)
    if (expression === null) continue
    if (!/^(?:\.[A-Za-z0-9_-]+|\[\d+\]|\['[^']*'\])+$/.test(access)) break
    const steps = [...access.matchAll(/\.([A-Za-z0-9_-]+)|\[(\d+)\]|\['([^']*)'\]/g)].map(
      ([, name, index_, quoted]) => name ?? index_ ?? quoted ?? '',
    )
    return { kind: 'expression', text, expression, steps }
  }
  throw new ConditionInvalid(`"${text}" is no runtime expression`)
}

function readText(rest: string): Token {
  const quote = rest[0] ?? "'"
  const end = quote === "'" ? /^'((?:[^']|'')*)'/.exec(rest) : /^"((?:[^"\\]|\\.)*)"/.exec(rest)
  if (end === null) throw new ConditionInvalid(`the text ${rest.slice(0, 20)} does not end`)
  const value = quote === "'" ? (end[1] ?? '').replaceAll("''", "'") : (end[1] ?? '').replaceAll(/\\(.)/g, '$1')
  return { text: end[0], operand: { kind: 'literal', value } }
}

// An expression goes to the next space or operator; a "(" or "[" that it opened itself belongs to it.
function readToken(rest: string): Token {
  const operator = operators.exec(rest)?.[0]
  if (operator !== undefined) return { text: operator, operand: null }
  const first = rest[0]
  if (first === "'" || first === '"') return readText(rest)
  const embedded = /^\{(\$[^{}]*)\}/.exec(rest)
  if (embedded !== null) return { text: embedded[0], operand: readOperand(embedded[1] ?? '') }
  if (first === '$') {
    const text = /^\$(?:\['[^']*'\]|[^\s()<>=!&|])*/.exec(rest)?.[0] ?? rest
    return { text, operand: readOperand(text) }
  }
  const numeral = number.exec(rest)?.[0]
  if (numeral !== undefined) return { text: numeral, operand: { kind: 'literal', value: Number(numeral) } }
  const known = word.exec(rest)?.[0]
  if (known !== undefined) return { text: known, operand: { kind: 'literal', value: JSON.parse(known) as Json } }
  const unknown = /^\S+/.exec(rest)?.[0] ?? rest
  throw new ConditionInvalid(`"${unknown}" is neither a literal nor an expression; write texts in single quotes`)
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at++
      continue
    }
    const token = readToken(text.slice(at))
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  read(): Condition {
    const condition = this.#any()
    const left = this.#tokens[this.#at]
    if (left !== undefined) throw new ConditionInvalid(`"${left.text}" is not expected there`)
    return condition
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.operand !== null || token.text !== text) return false
    this.#at++
    return true
  }

  #list(kind: 'and' | 'or', sign: string, next: () => Condition): Condition {
    const all = [next()]
    while (this.#take(sign)) all.push(next())
    const [only] = all
    return all.length === 1 && only !== undefined ? only : { kind, all }
  }

  #any(): Condition {
    return this.#list('or', '||', () => this.#every())
  }

  #every(): Condition {
    return this.#list('and', '&&', () => this.#comparison())
  }

  #comparison(): Condition {
    const left = this.#unary()
    const sign = this.#tokens[this.#at]
    if (sign?.operand !== null || !comparisons.has(sign.text)) return left
    this.#at++
    return { kind: 'compare', operator: sign.text as Operator, left, right: this.#unary() }
  }

  #unary(): Condition {
    if (++this.#depth > maxDepth) throw new ConditionInvalid('it is nested too deeply')
    try {
      if (this.#take('!')) return { kind: 'not', of: this.#unary() }
      if (!this.#take('(')) return this.#operand()
      const inner = this.#any()
      if (!this.#take(')')) throw new ConditionInvalid('a ")" is missing')
      return inner
    } finally {
      this.#depth--
    }
  }

  #operand(): Condition {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new ConditionInvalid('it ends where a value is expected')
    if (token.operand === null) throw new ConditionInvalid(`"${token.text}" is written where a value is expected`)
    this.#at++
    return token.operand
  }
}

/**
 * Reads a simple condition.
 * @throws ConditionInvalid
 */
export function parseCondition(text: string): Condition {
  if (text.length > maxLength) throw new ConditionInvalid(`it has more than ${maxLength} characters`)
  return new Reader(tokensOf(text)).read()
}

const numberOf = (value: Json): number | null => {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return null
  const read = Number(value)
  return Number.isFinite(read) ? read : null
}

/** Loose equality: texts without regard to case, numeric texts as numbers, null with itself alone. */
export function isLooselyEqual(a: Json, b: Json): boolean {
  if (a === null || b === null) return a === b
  if (typeof a === 'string' && typeof b === 'string') return a.toLowerCase() === b.toLowerCase()
  if (typeof a === 'number' || typeof b === 'number') {
    const [left, right] = [numberOf(a), numberOf(b)]
    return left !== null && right !== null && left === right
  }
  if (typeof a === 'object' && typeof b === 'object') return canonicalJson(a) === canonicalJson(b)
  if (typeof a === 'object' || typeof b === 'object') return false
  return String(a).toLowerCase() === String(b).toLowerCase()
}

function orderOf(a: Json, b: Json): number | null {
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left !== null && right !== null) return left - right
  if (typeof a !== 'string' || typeof b !== 'string') return null
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
  if (one === other) return 0
  return one < other ? -1 : 1
}

function compareValues(operator: Operator, a: Json, b: Json): boolean {
  if (operator === '==') return isLooselyEqual(a, b)
  if (operator === '!=') return !isLooselyEqual(a, b)
  const order = orderOf(a, b)
  if (order === null) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

const isTruthy = (value: Json): boolean => Boolean(value)

/** The value of a part of a condition. What is not there is null, as far as comparisons go. */
export function valueOfCondition(condition: Condition, scope: Scope): Json {
  switch (condition.kind) {
    case 'literal':
      return condition.value
    case 'expression':
      return valueAt(evaluate(condition.expression, scope), condition.steps) ?? null
    case 'not':
      return !isTruthy(valueOfCondition(condition.of, scope))
    case 'and':
      return condition.all.every((it) => isTruthy(valueOfCondition(it, scope)))
    case 'or':
      return condition.all.some((it) => isTruthy(valueOfCondition(it, scope)))
    case 'compare':
      return compareValues(
        condition.operator,
        valueOfCondition(condition.left, scope),
        valueOfCondition(condition.right, scope),
      )
  }
}

/** Whether a condition passes. */
export const passes = (condition: Condition, scope: Scope): boolean => isTruthy(valueOfCondition(condition, scope))

/** The expressions of a condition, each once, in their order. */
export function expressionsOf(condition: Condition): readonly Extract<Condition, { readonly kind: 'expression' }>[] {
  const found = new Map<string, Extract<Condition, { readonly kind: 'expression' }>>()
  const look = (part: Condition): void => {
    if (part.kind === 'expression') found.set(part.text, part)
    else if (part.kind === 'not') look(part.of)
    else if (part.kind === 'compare') for (const it of [part.left, part.right]) look(it)
    else if (part.kind !== 'literal') for (const it of part.all) look(it)
  }
  look(condition)
  return [...found.values()]
}
