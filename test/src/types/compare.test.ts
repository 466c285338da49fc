import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { compareThrough, compareTypes, embedTypes, listTypeChanges, type Registry } from '../../../src/types/compare.ts'

const registryOf = (types: Readonly<Record<string, Json>>): Registry => new Map(Object.entries(types))
const money = { $ref: 'svc:acme/Money' }

test('a schema brings the types that it refers to, and those that they refer to', () => {
  const registry = registryOf({
    'svc:acme/Money': { properties: { currency: { $ref: 'svc:acme/Currency' }, again: { $ref: 'svc:acme/Money' } } },
    'svc:acme/Currency': true,
    'svc:acme/Other': { type: 'string' },
  })
  expect(embedTypes({ items: money, $defs: { own: {} } }, registry)).toEqual({
    items: money,
    $defs: {
      own: {},
      'svc:acme/Money': {
        $id: 'svc:acme/Money',
        properties: { currency: { $ref: 'svc:acme/Currency' }, again: { $ref: 'svc:acme/Money' } },
      },
      'svc:acme/Currency': { $id: 'svc:acme/Currency', allOf: [true] },
    },
  })
})

test('a schema without registered types stays as it is', () => {
  for (const schema of [
    true,
    { type: 'string' },
    { $ref: 'svc:acme/Unknown' },
    { $ref: '#/$defs/a', $defs: { a: {} } },
  ])
    expect(embedTypes(schema, registryOf({}))).toEqual(schema)
})

test('types that refer to each other many times are read once', () => {
  const names = ['A', 'B', 'C'].map((name) => `svc:acme/${name}`)
  const all = { allOf: [...names, ...names].map(($ref) => ({ $ref })) }
  const { $defs } = embedTypes(all, registryOf(Object.fromEntries(names.map((name) => [name, all])))) as {
    $defs: object
  }
  expect(Object.entries($defs)).toEqual(names.map((name) => [name, { ...all, $id: name }]))
})

test('references are followed to a bound', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`svc:acme/T${at}`, { $ref: `svc:acme/T${at + 1}` }]),
  )
  const { $defs } = embedTypes({ $ref: 'svc:acme/T0' }, registryOf(chain)) as { $defs: object }
  expect(Object.keys($defs)).toEqual(Array.from({ length: 32 }, (_, at) => `svc:acme/T${at}`))
})

test('every difference is listed with its pointers, up to as many as are asked for', () => {
  const none = registryOf({})
  const before = { schema: { type: 'object', properties: { a: { type: 'string' } } }, registry: none }
  const after = {
    schema: {
      type: 'object',
      required: ['b'],
      properties: { a: { type: 'string', minLength: 1 }, b: { type: 'number' } },
    },
    registry: none,
  }
  const all = listTypeChanges(before, after, { bases: [], most: 10 })
  expect(all.total).toBe(all.changes.length)
  for (const { base, head } of all.changes)
    for (const side of [base, head])
      if (side !== null) expect([side.range, typeof side.pointer]).toEqual([null, 'string'])
  expect(all.changes.some(({ base, head }) => base === null && head !== null)).toBe(true)
  const back = listTypeChanges(after, before, { bases: [], most: 1 })
  expect([back.changes.length, back.total > 1]).toEqual([1, true])
  expect(listTypeChanges(after, before, { bases: [], most: 10 }).changes.some(({ head }) => head === null)).toBe(true)
})

test('a type whose references mean another type changes with it; one that does not refer to it does not', () => {
  const through = (schema: Json, before: Json, after: Json) =>
    compareThrough(schema, {
      before: registryOf({ 'svc:acme/Money': before }),
      after: registryOf({ 'svc:acme/Money': after }),
    })
  expect(through({ items: money }, { type: 'string' }, { type: 'string' })).toBeNull()
  expect(through({ type: 'string' }, { type: 'string' }, { type: 'number' })).toBeNull()
  expect(through({ items: money }, { type: 'string' }, { type: 'number' })).toMatchObject({
    severity: 'breaking',
    verdict: 'breaking',
  })
  expect(through({ items: money }, { type: 'string' }, { type: 'string', description: 'An amount' })).toMatchObject({
    severity: 'docs-only',
    verdict: 'safe',
  })
})

test('the same values in other words are no change', () => {
  const side = (schema: Json) => ({ schema, registry: registryOf({}) })
  expect(compareTypes(side({ type: 'string' }), side({ title: 'A text', type: ['string'] }))).toBeNull()
  expect(compareTypes(side({ type: 'string' }), side({ type: 'number' }))?.severity).toBe('breaking')
})
