/** The overlay between two documents: small, valid, and applied to the one it gives the other. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { serializeJson } from '../../../src/document/serialize.ts'
import { isObject, type Json, type Path } from '../../../src/kernel/json.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
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

const order = {
  operationId: 'getOrder',
  description:
    'Gives one order with its lines, its customer and the state of its delivery, and where it is on its way.',
  tags: ['orders', 'customers', 'deliveries'],
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
}

test('what got another name or place is copied, with what else changed of it', () => {
  const before = { paths: { '/orders/{id}': { get: order, delete: { operationId: 'cancel' } }, '/shops': {} } }
  const renamed = { paths: { '/shops': {}, '/v2/orders/{id}': before.paths['/orders/{id}'] } }
  expect(actionsBetween(before, renamed)).toEqual([
    { target: '$.paths', update: { '/v2/orders/{id}': {} } },
    { target: "$.paths['/v2/orders/{id}']", copy: "$.paths['/orders/{id}']" },
    { target: "$.paths['/orders/{id}']", remove: true },
  ])
  const edited = { paths: { '/shops': {}, '/v2/orders/{id}': { get: { ...order, operationId: 'getOrder2' } } } }
  expect(actionsBetween(before, edited)).toEqual([
    { target: '$.paths', update: { '/v2/orders/{id}': {} } },
    { target: "$.paths['/v2/orders/{id}']", copy: "$.paths['/orders/{id}']" },
    { target: "$.paths['/v2/orders/{id}'].delete", remove: true },
    { target: "$.paths['/orders/{id}']", remove: true },
    { target: "$.paths['/v2/orders/{id}'].get", update: { operationId: 'getOrder2' } },
  ])
  const moved = { paths: { '/orders/{id}': { delete: { operationId: 'cancel' } }, '/shops': { get: order } } }
  expect(actionsBetween(before, moved)).toEqual([
    { target: "$.paths['/shops']", update: { get: {} } },
    { target: "$.paths['/shops'].get", copy: "$.paths['/orders/{id}'].get" },
    { target: "$.paths['/orders/{id}'].get", remove: true },
  ])
  const twice = { paths: { ...before.paths, '/carts/{id}': { get: order } } }
  expect(actionsBetween(before, twice)).toEqual([
    { target: '$.paths', update: { '/carts/{id}': { get: {} } } },
    { target: "$.paths['/carts/{id}'].get", copy: "$.paths['/orders/{id}'].get" },
  ])
  for (const head of [renamed, edited, moved, twice]) {
    roundTrip(before, head)
    roundTrip(head, before)
  }
})

test('what a copy would not make smaller, or would copy into itself, is written', () => {
  const small = { paths: { '/a': { get: { operationId: 'a' } } } }
  expect(actionsBetween(small, { paths: { '/b': small.paths['/a'] } })).toEqual([
    { target: "$.paths['/a']", remove: true },
    { target: '$.paths', update: { '/b': { get: { operationId: 'a' } } } },
  ])
  const outer = { a: { order, more: { order } } }
  roundTrip(outer, { a: { ...outer.a, again: outer.a } })
  roundTrip({ list: [order, { name: 'x' }] }, { list: [order, { name: 'x', order, list: [order, order] }] })
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

/** The places of all containers. */
const placesIn = (value: Json, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? []
    : [
        path,
        ...Object.entries(value).flatMap(([key, it]) =>
          placesIn(it, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ]

test('applied to the one, the overlay gives the other: parts that got other names and places, changed or not', () => {
  const orders = fc.tuple(name, node).map(([key, it]) => ({ ...order, [key]: it }))
  const documents = fc.dictionary(
    name,
    fc.oneof(node, orders, fc.dictionary(name, orders, { maxKeys: 3, noNullPrototype: true })),
    {
      minKeys: 1,
      maxKeys: 4,
      noNullPrototype: true,
    },
  )
  let copied = 0
  fc.assert(
    fc.property(
      documents,
      name,
      node,
      fc.infiniteStream(fc.nat(1000)),
      fc.boolean(),
      (before, key, by, choices, stays) => {
        const next = (): number => choices.next().value
        const places = placesIn(before)
        const large = places.filter((it) => JSON.stringify(getPath(before, it)).length > 200)
        const known = large.length === 0 ? places : large
        const [from, into] = [known[next() % known.length]!, places[next() % places.length]!]
        const moved = nudged(getPath(before, from)!, by, () => (next() % 60) + 1)
        const head = structuredClone(before) as Record<string, Json>
        const target = getPath(head, into) as Record<string, Json>
        if (Array.isArray(target)) target.push({ [key]: moved })
        else Object.defineProperty(target, key, { value: moved, enumerable: true, configurable: true, writable: true })
        const [last, parent] = [from.at(-1), getPath(head, from.slice(0, -1))]
        if (!stays && last !== undefined && isObject(parent ?? null)) delete (parent as Record<string, Json>)[last]
        roundTrip(before, head)
        if (actionsBetween(before, head).some((it) => 'copy' in it)) copied++
      },
    ),
    { numRuns: 300 },
  )
  expect(copied).toBeGreaterThan(20)
})
