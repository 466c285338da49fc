/** An expression as the rows of the builder, and back. The text form is what both are compared by. */
import {
  type Expression,
  fieldWords,
  isTerm,
  namedFields,
  type Operator,
  operatorsOf,
  parseExpression,
  printExpression,
  readField,
  type Term,
  type TextProblem,
} from '../../../../../src/gateway-policy/door.ts'

/** One condition. `values` has one value, or several of a list. */
export interface ConditionRow {
  readonly kind: 'condition'
  /** Tells rows apart while they move. */
  readonly key: number
  readonly negated: boolean
  /** "http.path", or "http.header" with a name. */
  readonly field: string
  readonly name: string
  readonly op: Operator
  readonly values: readonly string[]
}
export interface GroupRow {
  readonly kind: 'group'
  readonly key: number
  readonly negated: boolean
  readonly joint: 'and' | 'or'
  readonly rows: readonly BuilderRow[]
}
export type BuilderRow = ConditionRow | GroupRow

let lastKey = 0
const newKey = (): number => ++lastKey

/** What the builder offers as fields. */
export const builderFields: readonly string[] = fieldWords.map((it) => it.replace(/\.NAME$/, ''))
export const isNamed = (field: string): boolean => namedFields.some((it) => it === field)
export const isList = (op: Operator): boolean => op === 'in' || op === 'cidr'

const fieldOf = ({ field, name }: Pick<ConditionRow, 'field' | 'name'>): string =>
  isNamed(field) ? `${field}.${name}` : field

/** The comparisons of a field. */
export function builderOperators(field: string): readonly Operator[] {
  const known = readField(isNamed(field) ? `${field}.name` : field)
  return typeof known === 'string' ? [] : operatorsOf(known)
}

export const newCondition = (): ConditionRow => ({
  kind: 'condition',
  key: newKey(),
  negated: false,
  field: 'http.path',
  name: '',
  op: 'starts',
  values: [''],
})
export const newGroup = (joint: GroupRow['joint'] = 'or'): GroupRow => ({
  kind: 'group',
  key: newKey(),
  negated: false,
  joint,
  rows: [newCondition()],
})

/** A condition about another field: its comparison stays where the field has it. */
export function withField(row: ConditionRow, field: string): ConditionRow {
  const operators = builderOperators(field)
  const op = operators.includes(row.op) ? row.op : (operators[0] ?? 'eq')
  return { ...row, field, op }
}

function conditionOf(term: Term): ConditionRow {
  const known = readField(term.field)
  const place =
    typeof known === 'string'
      ? { field: term.field, name: '' }
      : { field: known.prefix ?? term.field, name: known.name ?? '' }
  const values = term.value === undefined ? [''] : [term.value].flat().map(String)
  return { kind: 'condition', key: newKey(), negated: false, ...place, op: term.op, values }
}

function rowOf(tree: Expression): BuilderRow {
  if (isTerm(tree)) return conditionOf(tree)
  if ('not' in tree) {
    const row = rowOf(tree.not)
    return row.negated
      ? { kind: 'group', key: newKey(), negated: true, joint: 'and', rows: [row] }
      : { ...row, negated: true }
  }
  const joint = 'and' in tree ? 'and' : 'or'
  const rows = ('and' in tree ? tree.and : tree.or).map(rowOf)
  return { kind: 'group', key: newKey(), negated: false, joint, rows }
}

/** The rows of an expression, in a group that more can be added to. */
export function rowsOf(tree: Expression): GroupRow {
  const row = rowOf(tree)
  return row.kind === 'group' ? row : { kind: 'group', key: newKey(), negated: false, joint: 'and', rows: [row] }
}

function valueOf({ field, op, values }: ConditionRow): Term['value'] {
  if (op === 'exists') return undefined
  const one = (value: string) => (field === 'http.body.size' && /^\d{1,15}$/.test(value) ? Number(value) : value)
  return isList(op) ? (values.map(one) as string[]) : one(values[0] ?? '')
}

/** The expression of rows as it is written: what is missing in them is missing in it. */
export function treeOf(row: BuilderRow): Expression {
  const tree = inner(row)
  return row.negated ? { not: tree } : tree
}

function inner(row: BuilderRow): Expression {
  if (row.kind === 'condition') {
    const value = valueOf(row)
    return { field: fieldOf(row), op: row.op, ...(value === undefined ? {} : { value }) }
  }
  const parts = row.rows.map(treeOf)
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return row.joint === 'and' ? { and: parts } : { or: parts }
}

/** What is edited: the text, the rows, and what is wrong with the text. */
export interface Draft {
  readonly text: string
  readonly rows: GroupRow
  readonly problem: TextProblem | null
  /** Whether the rows are older than the text, which cannot be read. */
  readonly isBehind: boolean
}

/** A draft of an expression as it is stored; a first condition without a text. */
export function draftOf(text: string): Draft {
  const { tree } = parseExpression(text)
  return tree === null
    ? withRows({ kind: 'group', key: newKey(), negated: false, joint: 'and', rows: [newCondition()] })
    : { text, rows: rowsOf(tree), problem: null, isBehind: false }
}

/** The draft after something was typed: the rows follow as soon as the text can be read. */
export function withText(draft: Draft, text: string): Draft {
  const { tree, problem } = parseExpression(text)
  return tree === null
    ? { text, rows: draft.rows, problem, isBehind: true }
    : { text, rows: rowsOf(tree), problem: null, isBehind: false }
}

/** The draft after the builder changed: the text follows at once, also where something is missing. */
export function withRows(rows: GroupRow): Draft {
  const written = printExpression(treeOf(rows))
  const { tree, problem } = parseExpression(written)
  return { text: tree === null ? written : printExpression(tree), rows, problem, isBehind: false }
}
