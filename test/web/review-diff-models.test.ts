/** What the difference of a review is made of, without a browser: which lines belong to which change, pairs of lines, suggestions. */
import { expect, test } from 'bun:test'
import { groupChanges } from '../../web/src/features/comparison/changes.ts'
import type { Change } from '../../web/src/features/comparison/queries.ts'
import { assignPlaces, hasLine, rowsOf, standOf } from '../../web/src/features/reviews/hunks.ts'
import { patchOf, requiredOf, textOf, valueOf } from '../../web/src/features/reviews/suggestion.ts'
import { changedRows, inOneColumn, markPair, rowsOfHunk } from '../../web/src/parts/diff-pairs.ts'

const range = (from: number, to: number) => ({ start: { line: from, character: 8 }, end: { line: to, character: 20 } })
const change = (fingerprint: string, path: string, base: number[] | null, head: number[] | null): Change =>
  ({
    id: 'x',
    fingerprint,
    severity: 'breaking',
    classification: 'breaking',
    direction: null,
    message: fingerprint,
    method: 'GET',
    path,
    operations: [`GET ${path}`],
    consumers: [],
    base: base === null ? null : { pointer: '/a', range: range(base[0] ?? 0, base[1] ?? 0) },
    head: head === null ? null : { pointer: '/a', range: range(head[0] ?? 0, head[1] ?? 0) },
  }) as unknown as Change
const place = (old: number, removed: number, now: number, added: number) => ({ old, removed, now, added })

test('each place belongs to the change that says most exactly what it is; the rest is its neighbours’, or no one’s', () => {
  const places = [
    place(20, 1, 20, 0), // the list of what is required, near the property
    place(26, 1, 25, 1), // the key of the property
    place(60, 0, 59, 2), // an operation
    place(90, 1, 91, 1), // a comment
  ]
  const groups = groupChanges([
    change('whole', '/all', null, [0, 80]),
    change('gone', '/hours', [27, 29], null),
    change('new', '/tickets', null, [59, 60]),
  ])
  const { segments, others, placeOf } = assignPlaces(groups, places)
  expect([...segments].map(([key, own]) => [key, own.map(({ first, last }) => [first, last])])).toEqual([
    ['operation GET /all', []],
    ['operation GET /hours', [[0, 1]]],
    ['operation GET /tickets', [[2, 2]]],
  ])
  expect(others.map(({ first }) => first)).toEqual([3])
  expect([placeOf.get('gone'), placeOf.get('new')]).toEqual([1, 2])
})

test('rows have the lines around, each once, with the numbers of both sides', () => {
  const text = (it: string) => ({ text: it, from: 0, length: it.length })
  const places = [place(2, 1, 2, 0), place(4, 1, 3, 2)]
  const hunks = [
    { before: [text('a'), text('b')], old: [text('gone')], now: [], after: [text('c')] },
    { before: [text('c')], old: [text('key: one')], now: [text('key: two'), text('more')], after: [text('d')] },
  ]
  const rows = rowsOf(places, { key: '', first: 0, last: 1 }, hunks, new Map([[6, text('e')]]))
  expect(rows.map(({ old, now }) => [old?.number ?? null, now?.number ?? null, (now ?? old)?.text])).toEqual([
    [1, 1, 'a'],
    [2, 2, 'b'],
    [3, null, 'gone'],
    [4, 3, 'c'],
    [5, 4, 'key: two'],
    [null, 5, 'more'],
    [6, 6, 'd'],
    [7, 7, 'e'],
  ])
})

test('a thread on something that is gone is at its old line, any other at the line of its place', () => {
  const thread = (state: string, digest: string) =>
    ({
      anchor: { version_digest: digest, range: range(7, 8) },
      anchor_state: state,
      place: { range: range(3, 4) },
    }) as never
  expect(standOf(thread('outdated', 'base'), 'base')).toEqual(['old', 7])
  expect(standOf(thread('outdated', 'other'), 'base')).toEqual(['now', 3])
  expect(standOf(thread('moved', 'base'), 'base')).toEqual(['now', 3])
  const places = [place(7, 2, 7, 0), place(20, 1, 18, 1)]
  const [first, second] = [
    { key: 'a', first: 0, last: 0 },
    { key: 'b', first: 1, last: 1 },
  ]
  expect([hasLine(places, first, ['old', 8]), hasLine(places, first, ['old', 9])]).toEqual([true, false])
  expect([hasLine(places, first, ['now', 10]), hasLine(places, first, ['now', 11])]).toEqual([true, false])
  expect(hasLine(places, second, ['now', 14])).toBe(true)
})

test('a removed line is beside the added one that it became, with what differs marked', () => {
  const lines = (texts: string[], from: number) => texts.map((text, at) => ({ text, number: from + at }))
  const rows = changedRows(lines(['description: one', 'x'], 4), lines(['x-new: true', 'description: two'], 4))
  expect(rows.map(({ old, now }) => [old?.text, now?.text])).toEqual([
    [undefined, 'x-new: true'],
    ['description: one', 'description: two'],
    ['x', undefined],
  ])
  expect(inOneColumn(rows).map(({ old, now }) => (old ?? now)?.text)).toEqual([
    'description: one',
    'x',
    'x-new: true',
    'description: two',
  ])
  const marked = (old: string, now: string) =>
    markPair(old, now).map((side) => side.filter((it) => it.isMarked).map((it) => it.text))
  expect(marked('the time it opens on a date', 'the hour on a date')).toEqual([['time it opens '], ['hour']])
  expect(marked('nothing', 'alike: {}')).toEqual([[], []])
  expect(marked(`${'a'.repeat(900)}b`, `${'a'.repeat(900)}c`)).toEqual([['b'], ['c']])
})

test('a hunk of a unified diff has rows with numbers', () => {
  expect(
    rowsOfHunk('@@ -3,3 +3,3 @@\n a\n-b: 1\n+b: 2\n c').map(({ old, now }) => [
      old?.number,
      old?.kind,
      now?.number,
      now?.text,
    ]),
  ).toEqual([
    [3, 'same', 3, 'a'],
    [4, 'gone', 4, 'b: 2'],
    [5, 'same', 5, 'c'],
  ])
})

test('a suggestion begins with what is there, and is a patch of what differs', () => {
  for (const value of ['text', '5', 5, true, null, { a: [1] }, '{"a": 1}'])
    expect(valueOf(textOf(value))).toEqual(value)
  const at = '/components/schemas/A~1B/properties/x'
  const here = { pointer: at, key: '', range: range(1, 1), value: 'a', is_long: false, is_named: true }
  expect(patchOf(here, { name: 'x', value: 'a' }, null)).toEqual([])
  expect(patchOf(here, { name: 'y/z', value: '5' }, ['w', 'x'])).toEqual([
    { op: 'replace', path: at, value: 5 },
    { op: 'move', from: at, path: '/components/schemas/A~1B/properties/y~1z' },
    { op: 'replace', path: '/components/schemas/A~1B/required', value: ['w', 'y/z'] },
  ])
  expect(patchOf({ ...here, is_named: false }, { name: 'y', value: 'b' }, null)).toEqual([
    { op: 'replace', path: at, value: 'b' },
  ])
  expect([requiredOf(at), requiredOf('/paths/~1x/get'), requiredOf('')]).toEqual([
    '/components/schemas/A~1B/required',
    null,
    null,
  ])
})
