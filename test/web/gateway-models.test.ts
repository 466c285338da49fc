/** What the pages of gateway security make of rules before anything is drawn: rows, text and tree agree. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readExpression } from '../../src/gateway-policy/expression.ts'
import { parseExpression, printExpression } from '../../src/gateway-policy/text.ts'
import {
  builderFields,
  builderOperators,
  draftOf,
  newCondition,
  newGroup,
  rowsOf,
  treeOf,
  withField,
  withRows,
  withText,
  type GroupRow,
} from '../../web/src/features/gateway/rules/builder.ts'
import { inOrder, ordersAfter } from '../../web/src/features/gateway/rules/order.ts'
import { trees } from '../src/gateway-policy/arbitrary.ts'

test('every expression comes back from its rows, and the text of the rows is its text', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const rows = rowsOf(tree)
      expect(readExpression(treeOf(rows))).toEqual(tree)
      const draft = withRows(rows)
      expect([draft.problem, draft.text]).toEqual([null, printExpression(tree)])
      expect(parseExpression(draft.text).tree).toEqual(tree)
    }),
    { numRuns: 400 },
  )
})

test('rows of an expression are in a group, a named field is two words, and a group of one is what it holds', () => {
  const header = { field: 'http.header.x-id', op: 'eq', value: 'a' } as const
  const brief = ({ kind, joint, negated, rows }: GroupRow) => ({
    kind,
    joint,
    negated,
    rows: rows.map((row) =>
      row.kind === 'group' ? row.joint : [row.field, row.name, row.op, row.values, row.negated].flat(),
    ),
  })
  const one = rowsOf(header)
  const shown = ['http.header', 'x-id', 'eq', 'a']
  expect(brief(one)).toEqual({ kind: 'group', joint: 'and', negated: false, rows: [[...shown, false]] })
  expect(treeOf(one)).toEqual(header)
  expect(brief(rowsOf({ not: header }))).toMatchObject({ negated: false, rows: [[...shown, true]] })
  const either = { or: [header, { field: 'http.method', op: 'eq', value: 'GET' }] } as const
  expect(brief(rowsOf(either))).toMatchObject({ joint: 'or', negated: false })
  expect(brief(rowsOf({ not: either }))).toMatchObject({ joint: 'or', negated: true })
  expect(treeOf({ ...one, rows: [] })).toEqual({ and: [] })
  const { text } = withRows(one)
  const { rows, ...draft } = draftOf(text)
  expect([draft, treeOf(rows)]).toEqual([{ text, problem: null, isBehind: false }, header])
})

test('whatever is typed, rows and text agree as soon as the text can be read', () => {
  fc.assert(
    fc.property(trees, trees, fc.nat(), (before, after, cut) => {
      const first = withRows(rowsOf(before))
      const text = printExpression(after)
      const half = withText(first, text.slice(0, cut % (text.length + 1)))
      expect(half.isBehind).toBe(half.problem !== null)
      // Rows are the last expression that could be read, and nothing in between.
      const shown = half.isBehind ? before : parseExpression(half.text).tree
      expect(readExpression(treeOf(half.rows))).toEqual(shown as typeof before)
      expect(readExpression(treeOf(withText(half, text).rows))).toEqual(after)
    }),
    { numRuns: 200 },
  )
})

const condition = (over: object) => ({ ...newCondition(), ...over })
const group = (rows: GroupRow['rows'], over: Partial<GroupRow> = {}): GroupRow => ({
  ...newGroup('and'),
  rows,
  ...over,
})

test('rows are written as the text form has them', () => {
  const admin = condition({ values: ['/admin'] })
  const inside = condition({ field: 'ip.src', op: 'cidr', values: ['10.0.0.0/8', '192.0.2.1'], negated: true })
  const header = condition({ field: 'http.header', name: 'X-Mode', op: 'eq', values: ['test'] })
  const size = condition({ field: 'http.body.size', op: 'gt', values: ['1024'] })
  expect(withRows(group([admin, inside])).text).toBe(
    'http.path starts "/admin" and not ip.src cidr ["10.0.0.0/8", "192.0.2.1/32"]',
  )
  expect(withRows(group([admin, group([header, size], { joint: 'or', negated: true })])).text).toBe(
    'http.path starts "/admin" and not (http.header.x-mode eq "test" or http.body.size gt 1024)',
  )
})

test('what is missing in a row is a problem with its place, and nothing else is made of it', () => {
  const { text, problem, isBehind } = draftOf('')
  expect([text, problem?.line, problem?.column, isBehind]).toEqual(['http.path starts ""', 1, 18, false])
  const unnamed = withRows(group([condition({ field: 'http.header', name: '', op: 'exists' })]))
  expect([unnamed.text, unnamed.problem?.column]).toEqual(['http.header. exists', 1])
  const words = withRows(group([condition({ field: 'http.body.size', op: 'gt', values: ['many'] })]))
  expect([words.text, words.problem?.reason]).toEqual([
    'http.body.size gt "many"',
    'http.body.size is compared with a whole number of bytes, 0 or more',
  ])
})

test('another field keeps the comparison where it can', () => {
  const path = condition({ op: 'in', values: ['/a', '/b'] })
  expect([withField(path, 'http.route').op, withField(path, 'ip.src').op]).toEqual(['in', 'cidr'])
  expect(withField(path, 'http.header')).toEqual({ ...path, field: 'http.header' })
  expect(builderFields.filter((it) => builderOperators(it).length === 0)).toEqual([])
})

const rules = (...orders: number[]) => orders.map((order, index) => ({ id: 'abcdef'.charAt(index), order }))
const after = (given: ReturnType<typeof rules>, id: string, step: -1 | 1) => {
  const changed = ordersAfter(given, id, step)
  const next = given.map((it) => changed.find((one) => one.id === it.id) ?? it)
  return [
    inOrder(next)
      .map((it) => it.id)
      .join(''),
    changed.length,
  ]
}

test('a rule moves by one number where there is room, and all get new numbers where there is none', () => {
  expect(after(rules(10, 20, 30), 'c', -1)).toEqual(['acb', 1])
  expect(after(rules(10, 20, 30), 'a', 1)).toEqual(['bac', 1])
  expect(after(rules(10, 20, 30), 'c', 1)).toEqual(['abc', 0])
  expect(after(rules(10, 20, 30), 'b', 1)).toEqual(['acb', 1])
  expect(after(rules(10, 20, 30), 'b', -1)).toEqual(['bac', 1])
  expect(after(rules(0, 1), 'b', -1)).toEqual(['ba', 2])
  expect(after(rules(5, 5, 5), 'c', -1)).toEqual(['acb', 3])
  expect(after(rules(99_999, 100_000), 'a', 1)).toEqual(['ba', 2])
})
