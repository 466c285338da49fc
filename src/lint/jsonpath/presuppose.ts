/** What a filter presupposes of a node: this alone excludes most nodes, without evaluating the filter. */
import type { Expression } from './expression.ts'

/** What has to hold where an expression is to hold; null where nothing is known. */
export interface Presupposition {
  /** The value is an object that has one of these members. */
  readonly members: ReadonlySet<string> | null
  /** The key of the value is one of these. */
  readonly properties: ReadonlySet<string> | null
}

/** Of a condition that tells nothing ahead. */
export const nothing: Presupposition = { members: null, properties: null }

type Names = ReadonlySet<string> | null

const smaller = (a: Names, b: Names): Names => (a === null || (b !== null && b.size < a.size) ? b : a)
const both = (a: Names, b: Names): Names => (a === null || b === null ? null : a.union(b))

const isUndefined = (it: Expression): boolean =>
  (it.kind === 'unary' && it.operator === 'void') || (it.kind === 'literal' && it.value === undefined)
const isNull = (it: Expression): boolean => it.kind === 'literal' && it.value === null
const isAbsent = (it: Expression, operator: string): boolean => isUndefined(it) || (operator === '!=' && isNull(it))
const isText = (it: Expression): it is Expression & { value: string } =>
  it.kind === 'literal' && typeof it.value === 'string'

// Texts have a length and characters, lists have items, both have methods: any other member is one of an object.
const isMemberOfObjects = (name: string): boolean =>
  !/^\d+$/.test(name) && !(name in String.prototype) && !(name in Array.prototype)

const isNamed = (it: Expression, name: string): boolean => isText(it) && it.value === name

/** What has to hold where an expression is to be anything but undefined. */
function ofPresent(expression: Expression): Presupposition {
  if (expression.kind !== 'member') return nothing
  const { of, name } = expression
  // "@.enum.constructor.name" tells the kind of a value and looks for no member of that name.
  if (isNamed(name, 'name') && of.kind === 'member' && isNamed(of.name, 'constructor')) return ofPresent(of.of)
  if (of.kind !== 'variable') return ofPresent(of)
  return of.name === 'value' && isText(name) && isMemberOfObjects(name.value)
    ? { members: new Set([name.value]), properties: null }
    : nothing
}

function ofEquality(a: Expression, b: Expression): Presupposition {
  if (a.kind !== 'literal' || isUndefined(a) || isNull(a)) return nothing
  if (b.kind === 'variable' && b.name === 'property' && isText(a))
    return { members: null, properties: new Set([a.value]) }
  return ofPresent(b)
}

/** What has to hold where an expression is to hold. */
export function presupposed(expression: Expression): Presupposition {
  if (expression.kind !== 'binary') return ofPresent(expression)
  const { operator, left, right } = expression
  if (operator === '&&' || operator === '||') {
    const [a, b] = [presupposed(left), presupposed(right)]
    const join = operator === '&&' ? smaller : both
    return { members: join(a.members, b.members), properties: join(a.properties, b.properties) }
  }
  if (operator === '!==' || operator === '!=')
    return isAbsent(right, operator) ? ofPresent(left) : isAbsent(left, operator) ? ofPresent(right) : nothing
  if (operator === '===' || operator === '==') {
    const found = ofEquality(left, right)
    return found === nothing ? ofEquality(right, left) : found
  }
  return nothing
}
