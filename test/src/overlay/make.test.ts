/** The overlay between two documents: small, valid, and applied to the one it gives the other. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { serializeJson } from '../../../src/document/serialize.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { applyToValue } from '../../../src/overlay/apply.ts'
import { actionsBetween, makeOverlay } from '../../../src/overlay/make.ts'
import { overlayOf } from '../../../src/overlay/read.ts'

const info = { title: 'T', version: '1', extends: null }
const roundTrip = (base: Json, head: Json): void => {
  const text = serializeJson(makeOverlay(base, head, info))
  const overlay = overlayOf(parseDocument(text, { source: 'o.json' }))
  expect(applyToValue(base, [overlay]).value).toEqual(head)
}

const base = {
  info: { title: 'Pets', description: 'x' },
  tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  paths: { '/a': { get: { tags: ['x'] } }, '/b': { get: {} }, '/c': {} },
}

test('one change is one action at its place', () => {
  expect(actionsBetween(base, { ...base, info: { ...base.info, title: 'Animals' } })).toEqual([
    { target: '$.info', update: { title: 'Animals' } },
  ])
  expect(actionsBetween(base, { ...base, paths: { '/a': base.paths['/a'] } })).toEqual([
    { target: "$.paths['/b','/c']", remove: true },
  ])
  expect(actionsBetween(base, { ...base, tags: [...base.tags, { name: 'd' }] })).toEqual([
    { target: '$.tags', update: [{ name: 'd' }] },
  ])
  expect(actionsBetween(base, { ...base, tags: base.tags.slice(1) })).toEqual([{ target: '$.tags[0]', remove: true }])
  expect(actionsBetween(base, { ...base, tags: base.tags.map((it, at) => (at === 1 ? { ...it, x: 1 } : it)) })).toEqual(
    [{ target: '$.tags[1]', update: { x: 1 } }],
  )
  expect(actionsBetween(base, { ...base, info: 'text' })).toEqual([
    { target: '$.info', remove: true },
    { target: '$', update: { info: 'text' } },
  ])
})

test('equal documents have an overlay that changes nothing, and other kinds of documents none', () => {
  expect(makeOverlay(base, base, { ...info, extends: './a.yaml' })).toEqual({
    overlay: '1.1.0',
    info: { title: 'T', version: '1' },
    extends: './a.yaml',
    actions: [{ target: '$', update: {} }],
  })
  roundTrip(base, base)
  roundTrip([], [])
  expect(() => actionsBetween({}, [])).toThrow('no overlay replaces a whole document')
})

const name = fc.constantFrom('a', 'b', "it's", '/x/{y}', 'x-z', '__proto__', '\n', 'é')
const { node } = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(1, 2, 'x', true, null),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(name, tie('node'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const root = fc.dictionary(name, node, { maxKeys: 4, noNullPrototype: true })

/** A value with one part changed, so that most of it is the same. */
const nudged = (value: Json, by: Json, choose: () => number): Json => {
  const pick = choose()
  if (pick === 0 || typeof value !== 'object' || value === null) return pick < 3 ? by : value
  if (Array.isArray(value)) {
    const at = choose() % (value.length + 1)
    if (pick === 1) return (value as Json[]).toSpliced(at, 1)
    return pick === 2 ? (value as Json[]).toSpliced(at, 0, by) : (value as Json[]).map((it) => nudged(it, by, choose))
  }
  const entries = Object.entries(value)
  if (pick === 1) return Object.fromEntries(entries.slice(1)) as Json
  return Object.fromEntries(entries.map(([key, it]) => [key, nudged(it, by, choose)])) as Json
}

test('applied to the one, the overlay gives the other: any two documents', () => {
  fc.assert(
    fc.property(root, root, (before, after) => roundTrip(before, after)),
    { numRuns: 400 },
  )
})

test('applied to the one, the overlay gives the other: documents that differ in a few places', () => {
  fc.assert(
    fc.property(root, node, fc.infiniteStream(fc.nat(9)), (before, by, choices) => {
      const made = nudged(before, by, () => choices.next().value + 1)
      roundTrip(before, made)
    }),
    { numRuns: 600 },
  )
})
