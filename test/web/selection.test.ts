/** The selection of a list that has pages, without a browser. */
import { expect, test } from 'bun:test'
import { summaryOf, targetsOf } from '../../web/src/features/projects/bulk.ts'
import { afterClick, afterPage, nothing, selectedOf } from '../../web/src/features/projects/selection.ts'

const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, name: id.toUpperCase() }))
const click = (before: typeof nothing, id: string, withShift = false, isAll = false) =>
  afterClick(before, rows, id, withShift, isAll)
const ids = ({ names }: typeof nothing) => [...names.keys()].join('')

test('a click selects a row or takes it out; with Shift all rows from the one before get the same state', () => {
  const one = click(nothing, 'b')
  const range = click(one, 'd', true)
  const back = click(range, 'c')
  expect([ids(one), ids(range), ids(back), ids(click(back, 'a', true))]).toEqual(['b', 'bcd', 'bd', 'bdac'])
  expect(ids(click(nothing, 'c', true))).toBe('c')
  expect(ids(click(click(range, 'b'), 'd', true))).toBe('')
})

test('rows of other pages stay selected; a page is selected whole and taken out whole', () => {
  const other = afterPage(nothing, [{ id: 'x', name: 'X' }], false)
  const both = afterPage(click(other, 'b'), rows, false)
  expect([ids(both), ids(afterPage(both, rows, false))]).toEqual(['xbacde', 'x'])
})

test('a click while all that match are selected leaves the other rows of the page', () => {
  const all = { ...nothing, all: '{}' }
  expect([ids(click(all, 'c', false, true)), click(all, 'c', false, true).all]).toEqual(['abde', null])
  expect(ids(afterPage(all, rows, true))).toBe('')
})

test('all that match are selected under their filter alone; under others those that were chosen one by one', () => {
  const one = { ...click(nothing, 'b'), all: 'x' }
  const brief = (filter: string) => {
    const { count, isAll, ids: own, has } = selectedOf(one, filter, 40)
    return [count, isAll, own.join(''), has('b'), has('c')]
  }
  expect([brief('x'), brief('y')]).toEqual([
    [40, true, 'b', true, true],
    [1, false, 'b', true, false],
  ])
})

test('ids are sent in portions, all that match as their filter without its order', () => {
  const many = Array.from({ length: 401 }, (_, n) => `p${n}`)
  expect(targetsOf({ isAll: false, ids: many }, {}).map((one) => one.projects?.length)).toEqual([200, 200, 1])
  expect(targetsOf({ isAll: true, ids: [] }, { owner: 'a', sort: 'name' })).toEqual([{ matching: { owner: 'a' } }])
})

test('what became of the projects is one sentence', () => {
  const result = (outcome: 'changed' | 'unchanged' | 'refused') => ({
    project_id: 'a',
    slug: 'a',
    name: 'A',
    outcome,
    reason: null,
  })
  expect([
    summaryOf([result('changed'), result('changed'), result('unchanged')]),
    summaryOf([result('refused')]),
  ]).toEqual(['2 projects changed, 1 unchanged.', '1 project refused.'])
})
