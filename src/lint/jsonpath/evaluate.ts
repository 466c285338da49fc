import { isObject, type Json } from '../../kernel/json.ts'
import { Pattern, patternOf } from '../../regex/pattern.ts'
import type { Expression } from './expression.ts'

/** What a filter sees of the node that it is asked about. */
export interface Scope {
  readonly value: unknown
  readonly property: string | number
  /** What holds the node. */
  readonly container: Json
  /** What holds the container: "@parent" means it, as JSONPath-Plus does. Null for the members of the root. */
  readonly parent: Json
  /** The key of the container. */
  readonly parentProperty: string | number | null
  readonly root: Json
  /** In the bracket notation of JSONPath: $['a'][0]. Made only where an expression asks for it. */
  path(): string
}

export type Evaluate = (scope: Scope) => unknown

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The kinds of values that "@.constructor.name" tells apart in published rulesets. */
const constructorName = (value: unknown): string | undefined => {
  if (isList(value)) return 'Array'
  if (isObject(value)) return 'Object'
  return { string: 'String', number: 'Number', boolean: 'Boolean' }[typeof value as string]
}

/** The value of a method that is named without being called: it is there, and nothing more. */
const method = (): void => {}
const methodOf = (prototype: object, name: unknown): unknown =>
  typeof name === 'string' && name in prototype && !(name in Object.prototype) ? method : undefined

function readMember(of: unknown, name: unknown): unknown {
  if (of === null || of === undefined) return undefined
  if (name === 'length' && (typeof of === 'string' || isList(of))) return of.length
  if (typeof of === 'string') return typeof name === 'number' ? of[name] : methodOf(String.prototype, name)
  if (isList(of)) return /^\d+$/.test(textOf(name)) ? of[Number(name)] : methodOf(Array.prototype, name)
  return isObject(of) && Object.hasOwn(of, textOf(name)) ? of[textOf(name)] : undefined
}

/** A value as text; what holds others says no more than that it does. */
const textOf = (value: unknown): string =>
  isList(value) ? value.map(textOf).join(',') : isObject(value) ? '[object Object]' : String(value)

const numberOf = (value: unknown): number => (typeof value === 'object' && value !== null ? Number.NaN : Number(value))

const toPattern = (pattern: unknown): Pattern | null =>
  pattern instanceof Pattern ? pattern : typeof pattern === 'string' ? patternOf(pattern) : null

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  '@null': (it) => it === null,
  '@boolean': (it) => typeof it === 'boolean',
  '@number': (it) => typeof it === 'number',
  '@integer': (it) => Number.isInteger(it),
  '@string': (it) => typeof it === 'string',
  '@object': (it) => isObject(it),
  '@array': isList,
  '@scalar': (it) => it === null || ['string', 'number', 'boolean'].includes(typeof it),
  '@undefined': (it) => it === undefined,
  '@nonFinite': (it) => typeof it === 'number' && !Number.isFinite(it),
  '@other': () => false,
  '@function': () => false,
}

/** Answers the type test of that name, as in "@number()"; null for none. */
export const typeTest = (name: string): ((value: unknown) => boolean) | null => typeTests[`@${name}`] ?? null

function callMethod(of: unknown, name: string, args: readonly unknown[]): unknown {
  const [first, second] = args
  const number = typeof second === 'number' ? second : undefined
  if (of instanceof Pattern) return name === 'test' && typeof first === 'string' ? of.test(first) : undefined
  if (name === 'hasOwnProperty') return isObject(of) && Object.hasOwn(of, textOf(first))
  if (isList(of)) {
    if (name === 'includes') return of.includes(first)
    if (name === 'indexOf') return of.indexOf(first)
    if (name === 'slice') return of.slice(numberOf(first ?? 0), number)
    if (name === 'at') return of.at(numberOf(first))
    return name === 'join' ? of.map(textOf).join(first === undefined ? ',' : textOf(first)) : undefined
  }
  if (name === 'toString') return of === null || of === undefined ? undefined : textOf(of)
  if (typeof of !== 'string') return undefined
  switch (name) {
    case 'match':
      return toPattern(first)?.match(of) ?? null
    case 'search':
      return toPattern(first)?.search(of) ?? -1
    case 'slice':
    case 'substring':
      return of[name](numberOf(first ?? 0), number)
    case 'at':
      return of.at(numberOf(first))
    case 'includes':
    case 'indexOf':
    case 'startsWith':
    case 'endsWith':
      return of[name](textOf(first), number)
    case 'toLowerCase':
    case 'toUpperCase':
    case 'trim':
      return of[name]()
    default:
      return undefined
  }
}

function callFunction(name: string, args: readonly unknown[]): unknown {
  const [first, second] = args
  if (name === 'length' || name === 'count') {
    if (typeof first === 'string') return Array.from(first).length
    return isList(first) ? first.length : isObject(first) ? Object.keys(first).length : undefined
  }
  if (name === 'match') return typeof first === 'string' && toPattern(`^(?:${textOf(second)})$`)?.test(first) === true
  if (name === 'search') return typeof first === 'string' && toPattern(second)?.test(first) === true
  if (name === 'value') return first
  if (name === 'String') return textOf(first)
  return name === 'Number' ? numberOf(first) : Boolean(first)
}

const looselyEqual = (a: unknown, b: unknown): boolean => {
  if ((a === null || a === undefined) && (b === null || b === undefined)) return true
  if (typeof a === typeof b || a === null || b === null || typeof a === 'object' || typeof b === 'object')
    return a === b
  return numberOf(a) === numberOf(b)
}

type Primitive = string | number
const compare = (a: unknown, b: unknown, test: (a: Primitive, b: Primitive) => boolean): boolean => {
  if (typeof a === 'string' && typeof b === 'string') return test(a, b)
  if (typeof a === 'object' || typeof b === 'object' || a === undefined || b === undefined) return false
  return test(numberOf(a), numberOf(b))
}

const add = (a: unknown, b: unknown): unknown =>
  typeof a === 'string' || typeof b === 'string' ? `${textOf(a)}${textOf(b)}` : numberOf(a) + numberOf(b)

const operators: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '==': looselyEqual,
  '!=': (a, b) => !looselyEqual(a, b),
  '<': (a, b) => compare(a, b, (x, y) => x < y),
  '>': (a, b) => compare(a, b, (x, y) => x > y),
  '<=': (a, b) => compare(a, b, (x, y) => x <= y),
  '>=': (a, b) => compare(a, b, (x, y) => x >= y),
  '=~': (a, b) => typeof a === 'string' && toPattern(b)?.test(a) === true,
  '~=': (a, b) => typeof a === 'string' && toPattern(b)?.test(a) === true,
  in: (a, b) => (isList(b) ? b.includes(a) : isObject(b) && Object.hasOwn(b, textOf(a))),
  '+': add,
  '-': (a, b) => numberOf(a) - numberOf(b),
  '*': (a, b) => numberOf(a) * numberOf(b),
  '/': (a, b) => numberOf(a) / numberOf(b),
  '%': (a, b) => numberOf(a) % numberOf(b),
}

function compileBinary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === '&&') return (scope) => left(scope) && right(scope)
  if (operator === '||') return (scope) => left(scope) || right(scope)
  if (operator === '??') return (scope) => left(scope) ?? right(scope)
  const operate = operators[operator]
  return operate === undefined ? () => undefined : (scope) => operate(left(scope), right(scope))
}

function compileUnary(operator: string, operand: Evaluate): Evaluate {
  if (operator === '!') return (scope) => !operand(scope)
  if (operator === '-') return (scope) => -numberOf(operand(scope))
  if (operator === '+') return (scope) => numberOf(operand(scope))
  return operator === 'typeof' ? (scope) => typeof operand(scope) : () => undefined
}

function compileMember(expression: Expression & { kind: 'member' }): Evaluate {
  const { of, name } = expression
  // "@.type.constructor.name": the one look behind a value that rulesets take.
  if (
    name.kind === 'literal' &&
    name.value === 'name' &&
    of.kind === 'member' &&
    of.name.kind === 'literal' &&
    of.name.value === 'constructor'
  ) {
    const inner = compileExpression(of.of)
    return (scope) => constructorName(inner(scope))
  }
  const holder = compileExpression(of)
  if (name.kind === 'literal' && typeof name.value === 'string') {
    const key = name.value
    return (scope) => readMember(holder(scope), key)
  }
  const key = compileExpression(name)
  return (scope) => readMember(holder(scope), key(scope))
}

/** Turns an expression into a function of closures. What cannot be computed is undefined; nothing is thrown. */
export function compileExpression(expression: Expression): Evaluate {
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression
      return () => value
    }
    case 'list': {
      const items = expression.items.map(compileExpression)
      return (scope) => items.map((item) => item(scope))
    }
    case 'variable': {
      const { name } = expression
      return name === 'path' ? (scope) => scope.path() : (scope) => scope[name]
    }
    case 'member':
      return compileMember(expression)
    case 'call': {
      const { name } = expression
      const args = expression.args.map(compileExpression)
      if (expression.of === null)
        return (scope) =>
          callFunction(
            name,
            args.map((it) => it(scope)),
          )
      const of = compileExpression(expression.of)
      const test = typeTests[name]
      if (test !== undefined) return (scope) => test(of(scope))
      return (scope) =>
        callMethod(
          of(scope),
          name,
          args.map((it) => it(scope)),
        )
    }
    case 'unary':
      return compileUnary(expression.operator, compileExpression(expression.operand))
    case 'binary':
      return compileBinary(expression.operator, compileExpression(expression.left), compileExpression(expression.right))
    case 'choice': {
      const [test, yes, no] = [expression.test, expression.yes, expression.no].map(compileExpression) as [
        Evaluate,
        Evaluate,
        Evaluate,
      ]
      return (scope) => (test(scope) ? yes(scope) : no(scope))
    }
  }
}
