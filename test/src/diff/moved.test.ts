/** What is written at another place of a schema is where it was. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { changesOf, withOperation, withRequest, withResponse } from './changes-of.ts'

const severities = (base: Json, head: Json) => [...new Set(changesOf(base, head).map((it) => it.severity))]
const text = { type: 'string' }
const before: Json = { type: 'object', properties: { kind: text, a: text } }

describe('a property of a request that is declared under a condition', () => {
  const kept = { type: 'object', properties: { kind: text } } as const
  const places: Readonly<Record<string, Json>> = {
    then: { ...kept, if: { required: ['kind'] }, then: { properties: { a: text } } },
    else: { ...kept, if: { required: ['kind'] }, else: { properties: { a: text } } },
    dependentSchemas: { ...kept, dependentSchemas: { kind: { properties: { a: text } } } },
    oneOf: { ...kept, oneOf: [{ properties: { a: text } }] },
  }
  for (const [word, head] of Object.entries(places))
    test(word, () => {
      expect(severities(withRequest(before), withRequest(head))).not.toContain('breaking')
    })

  test('and one that is gone', () => {
    expect(severities(withRequest(before), withRequest(kept))).toEqual(['breaking'])
  })
})

describe('what is listed at another place is neither added nor removed', () => {
  const told = (base: Json, head: Json) => changesOf(base, head).map((it) => `${it.severity} ${it.message}`)
  const kept = { type: 'object', properties: { kind: text } } as const
  const a = { properties: { a: text } }
  const within: readonly (readonly [string, Json, readonly string[]])[] = [
    ['then', { if: { required: ['kind'] }, then: a }, ['A condition (if/then/else)']],
    ['else', { if: { required: ['kind'] }, else: a }, ['A condition (if/then/else)']],
    ['dependentSchemas', { dependentSchemas: { kind: a } }, ['must match an additional schema']],
    ['oneOf', { oneOf: [a] }, []],
    ['anyOf', { anyOf: [{ ...a, required: ['kind'] }, { ...a, maxProperties: 3 }, a] }, []],
  ]
  for (const [make, where] of [
    [withRequest, 'request'],
    [withResponse, 'response'],
  ] as const)
    test.each(within)(`${where}: %s, there and back`, (_, more, parts) => {
      const [one, other] = [make(before), make({ ...kept, ...(more as object) })]
      for (const list of [told(one, other), told(other, one)]) {
        expect(list.filter((it) => /`a`.*(added|removed)/.test(it))).toEqual([])
        expect(list.filter((it) => it.startsWith('breaking'))).toEqual([])
        expect(list.length).toBe(parts.length)
      }
    })

  test('a requirement that moves is one of the branches', () => {
    const needed = { ...before, required: ['a'] }
    const moved = {
      ...kept,
      oneOf: [
        { ...a, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    }
    expect(told(withResponse(needed), withResponse(moved))).toEqual([
      'breaking `a` in the 200 response is now optional',
      'non-breaking The 200 response must now match exactly one of an object with `a`, an object with `b` (oneOf)',
    ])
  })
})

describe('a branch that stays', () => {
  const one = { type: 'object', properties: { a: text, x: { type: 'integer' } }, required: ['a'] }
  const other = { type: 'object', properties: { b: text }, required: ['b'] }
  const narrowed = { ...one, properties: { ...one.properties, a: { ...text, maxLength: 5 } } }
  const told = (base: Json, head: Json) =>
    changesOf(base, head).map((it) => [it.severity, it.message, it.witness?.value])
  const choice = { oneOf: [one, other] }

  test('inlined or as a choice of one is what it was', () => {
    expect(told(withRequest({ oneOf: [one] }), withRequest(one))).toEqual([])
    for (const head of [one, { oneOf: [one] }, { allOf: [one] }]) {
      expect(told(withRequest(choice), withRequest(head))).toEqual([
        ['breaking', 'The request body can no longer be an object with `b` (oneOf)', { b: 'a' }],
      ])
      expect(told(withResponse(choice), withResponse(head))).toEqual([
        ['non-breaking', 'The 200 response can no longer be an object with `b` (oneOf)', undefined],
      ])
    }
  })

  test('and what changed in it is compared in place', () => {
    for (const head of [narrowed, { oneOf: [narrowed] }])
      expect(told(withRequest(choice), withRequest(head))).toEqual([
        ['breaking', 'The request body can no longer be an object with `b` (oneOf)', { b: 'a' }],
        ['breaking', 'Maximum length of `a` in the request body was set to 5', { a: 'aaaaaa' }],
      ])
    expect(told(withResponse(narrowed), withResponse(choice))).toEqual([
      ['breaking', 'The 200 response can now also be an object with `b` (oneOf)', { b: 'a' }],
      ['breaking', 'Maximum length of `a` in the 200 response (5) was removed', { a: 'aaaaaa' }],
    ])
  })

  test('also beside a discriminator', () => {
    const picked = { discriminator: { propertyName: 'k' } }
    const list = [
      { ...one, properties: { ...one.properties, k: text } },
      { ...other, properties: { ...other.properties, k: text } },
    ]
    const pair = [
      withResponse({ oneOf: list, ...picked }),
      withResponse({ oneOf: list.slice(0, 1), ...picked }),
    ] as const
    expect(told(...pair)).toEqual([
      ['non-breaking', 'The 200 response can no longer be an object with `b`, `k` (oneOf)', undefined],
    ])
  })

  test('a response of two branches at once is none of them', () => {
    const both = { type: 'object', properties: { a: text, b: text }, required: ['a'] }
    expect(told(withResponse(choice), withResponse(both)).some(([severity]) => severity === 'breaking')).toBe(true)
  })
})

describe('sentences name what changed', () => {
  const component = { type: 'object', properties: { c: text }, required: ['c'] }
  const answering = (schema: Json): Json =>
    withOperation(
      { responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } } },
      { components: { schemas: { C: component } } },
    )

  test('a response that is another schema now, and not the schema that it was', () => {
    const messages = changesOf(answering({ $ref: '#/components/schemas/C' }), answering({ type: 'number' }))
    expect(messages.map((it) => it.message)).toEqual([
      'Required property `c` in the 200 response was removed',
      'Type of the 200 response changed from object to number',
    ])
  })

  test('a status that another one described before', () => {
    const errors = (responses: object): Json =>
      withOperation({ responses: { '200': { description: 'ok' }, ...responses } })
    const like = (schema: Json) => ({ description: 'error', content: { 'application/json': { schema } } })
    const messages = changesOf(
      errors({ default: like(component) }),
      errors({ default: like(component), '404': like({ type: 'object' }) }),
    )
    expect(messages.map((it) => it.message)).toContain('Required property `c` in the 404 response was removed')
  })

  test('the parameters of a form of Swagger 2.0, by their names', () => {
    const form = (parameters: readonly object[]): Json => ({
      swagger: '2.0',
      info: { title: 'A', version: '1' },
      paths: {
        '/a': { post: { parameters: parameters.map((it) => ({ in: 'formData', ...it })) as Json, responses: {} } },
      },
    })
    const base = form([
      { name: 'a', type: 'integer', maximum: 3 },
      { name: 'c', type: 'string', required: true },
    ])
    const head = form([
      { name: 'a', type: 'integer', maximum: 4 },
      { name: 'b', type: 'string' },
      { name: 'c', type: 'string' },
    ])
    expect(changesOf(base, head).map((it) => it.message)).toEqual([
      'The request body is now optional',
      'Maximum of `a` in the request body was increased from 3 to 4',
      'Optional property `b` in the request body was added',
      '`c` in the request body is now optional',
    ])
  })

  test('long values are shown where they differ', () => {
    const long = (most: number): Json => ({
      type: 'object',
      dependentSchemas: {
        a: { properties: { something: text, another: text, last: { type: 'string', maxLength: most } } },
      },
    })
    expect(changesOf(withRequest(long(10)), withRequest(long(9))).map((it) => it.message)).toEqual([
      'Schema of the request body that applies if a property is present changed from …string","maxLength":10}}}} to …string","maxLength":9}}}}',
    ])
  })
})
