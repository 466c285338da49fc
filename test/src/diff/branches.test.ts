/** Counterexamples are those of the change that shows them, and of the whole message: what another branch accepts is not lost. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { changesOf, withOperation, withRequest, withResponse } from './changes-of.ts'

const text: Json = { type: 'string' }
const object = (properties: { readonly [key: string]: Json }, ...required: string[]): Json => ({
  type: 'object',
  properties,
  required,
})
const told = (base: Json, head: Json): readonly (readonly [string, string, Json | undefined])[] =>
  changesOf(base, head).map((it) => [it.severity, it.message, it.witness?.value])

describe('branches of a choice', () => {
  const dog = object({ a: { type: 'number' } })
  const cat = object({ a: { enum: ['x', 'y'] } })
  const catWith = object({ a: { enum: ['x', 'y'] }, c: text }, 'c')

  test('a counterexample of a request is refused by the other branches as well', () => {
    expect(told(withRequest({ anyOf: [cat, dog] }), withRequest({ anyOf: [catWith, dog] }))).toEqual([
      ['breaking', 'Required property `c` in the request body was added', { a: 'x' }],
    ])
  })

  test('a counterexample of a response is refused by the other branches as well', () => {
    expect(told(withResponse({ anyOf: [catWith, dog] }), withResponse({ anyOf: [cat, dog] }))).toEqual([
      ['breaking', 'Required property `c` in the 200 response was removed', { a: 'x' }],
    ])
  })

  test('what another branch accepts is not lost', () => {
    const open = object({ b: text })
    expect(told(withRequest({ anyOf: [cat, open] }), withRequest({ anyOf: [catWith, open] }))).toEqual([
      ['non-breaking', 'Required property `c` in the request body was added', undefined],
    ])
  })

  test('a value of two branches of a oneOf is not valid', () => {
    // {} fits both branches of the base, so no one sends it.
    const pair = (head: Json): readonly [Json, Json] => [
      withRequest({ oneOf: [cat, dog] }),
      withRequest({ oneOf: [head, dog] }),
    ]
    expect(told(...pair(catWith))).toEqual([
      ['breaking', 'Required property `c` in the request body was added', { a: 'x' }],
    ])
  })

  test('branches within branches', () => {
    const nested = (inner: Json): Json => ({ anyOf: [{ anyOf: [inner, object({ b: text }, 'b')] }, dog] })
    expect(told(withRequest(nested(cat)), withRequest(nested(catWith)))).toEqual([
      ['breaking', 'Required property `c` in the request body was added', { a: 'x' }],
    ])
  })

  test('the branches of a parameter', () => {
    const query = (schema: Json): Json =>
      withOperation({ parameters: [{ name: 'q', in: 'query', required: true, schema }] })
    const base = { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'boolean' }] }
    const head = { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'boolean' }] }
    expect(told(query(base), query(head))).toEqual([
      ['breaking', 'Minimum of the parameter `q` was increased from 0 to 1', 0],
    ])
  })
})

describe('listed values', () => {
  const letters = (...values: string[]): Json => ({ type: 'string', pattern: '^[a-z]$', enum: values })

  test('a removed value that was never valid breaks nothing', () => {
    expect(told(withRequest(letters('a', 'b', 'zz')), withRequest(letters('a')))).toEqual([
      ['breaking', 'Enum value b of the request body was removed', 'b'],
      ['non-breaking', 'Enum value zz of the request body was removed', undefined],
    ])
  })

  test('an added value that is never valid breaks nothing', () => {
    expect(told(withResponse(letters('a')), withResponse(letters('a', 'b', 'zz')))).toEqual([
      ['breaking', 'Enum value b of the 200 response was added', 'b'],
      ['non-breaking', 'Enum value zz of the 200 response was added', undefined],
    ])
  })

  test('a value that another branch lists is still valid', () => {
    const choice = (...values: string[]): Json => ({ anyOf: [{ enum: values }, { enum: ['b', 'c'] }] })
    expect(told(withRequest(choice('a', 'b', 'd')), withRequest(choice('a')))).toEqual([
      ['breaking', 'Enum value d of the request body was removed', 'd'],
      ['non-breaking', 'Enum value b of the request body was removed', undefined],
    ])
  })
})

test('of a schema without values what is expected may be written in other words', () => {
  const contradictory = { type: 'object', required: ['a'] }
  const dependent = { ...contradictory, dependentSchemas: { a: { type: 'string' } } }
  const chosen = { ...contradictory, anyOf: [{ not: { type: 'object', required: ['a'] } }, { type: 'string' }] }
  const severities = (base: Json, head: Json) =>
    changesOf(withResponse(base), withResponse(head)).map((it) => it.severity)
  expect(severities(dependent, chosen)).toEqual(['non-breaking'])
  // What is expected is gone: clients can rely on it, although no value has it by the letter.
  expect(severities(dependent, { ...contradictory, type: 'array', maxItems: 0, minItems: 1 })).toContain('breaking')
})

test('properties of a condition are not new in a branch that says the same', () => {
  const then = { properties: { b: { type: 'string' } }, required: ['b'] }
  const base = { if: { type: 'object' }, then }
  const head = { anyOf: [{ not: { type: 'object' } }, then] }
  const severities = (to: Json) => changesOf(withResponse(base), withResponse(to)).map((it) => it.severity)
  expect(severities(head).filter((it) => it === 'breaking')).toEqual([])
  expect(severities({ anyOf: [{ not: { type: 'object' } }, { properties: { c: true }, required: ['c'] }] })).toContain(
    'breaking',
  )
})
