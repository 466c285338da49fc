import { describe, expect, test } from 'bun:test'
import { readPact } from '../../../src/contracts/pact.ts'
import { resolvePact } from '../../../src/contracts/pact-import.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { specificationOf } from './documents.ts'

const text = { type: 'string' }
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const pactOf = (interaction: JsonObject) => {
  const pact = readPact({
    interactions: [{ description: 'it', ...interaction }],
    metadata: { pactSpecification: { version: '2.0.0' } },
  })
  if (typeof pact === 'string') throw new Error(pact)
  return pact
}

describe('example values against the declared types', () => {
  const pet = {
    type: 'object',
    required: ['id', 'secret'],
    properties: {
      id: { type: 'integer' },
      name: { type: ['string', 'null'] },
      kind: { $ref: '#/components/schemas/Kind' },
      born: { type: 'string', format: 'date' },
      owner: object({ mail: { type: 'string', format: 'email' } }),
      tags: { type: 'array', items: object({ label: text }) },
      shape: { oneOf: [{ type: 'integer' }, object({ edge: { type: 'number' } })] },
      both: { allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] },
    },
    additionalProperties: { type: 'boolean' },
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets/{id}': {
        get: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'sort', in: 'query', schema: { type: 'array', items: { enum: ['asc', 'desc'] } } },
            { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } },
            { name: 'X-Level', in: 'header', schema: { enum: [1, 2] } },
          ],
          responses: {
            '200': {
              description: 'ok',
              headers: { 'X-Rate': { schema: { type: 'integer' } } },
              content: { 'application/json': { schema: pet } },
            },
          },
        },
        put: {
          requestBody: { content: { 'application/json': { schema: { type: 'array', items: pet } } } },
          responses: { '204': { description: 'done' } },
        },
      },
    },
    components: { schemas: { Kind: { type: 'string', enum: ['cat', 'dog'] } } },
  }
  const specification = specificationOf(document)
  const told = (interaction: JsonObject): readonly string[] => {
    const { warnings, unresolved } = resolvePact(pactOf(interaction), specification)
    expect(unresolved).toEqual([])
    return warnings.map((it) => `${it.code} ${it.location} ${it.status} ${it.field}: ${it.message}`)
  }
  const answered = (body: Json, headers: JsonObject = {}): readonly string[] =>
    told({ request: { path: '/pets/7' }, response: { status: 200, headers, body } })

  test('what fits says nothing, nor what is missing', () => {
    expect(answered({ id: 1, name: null, kind: 'cat', born: '2026-02-28', owner: { mail: 'a@b.de' } })).toEqual([])
    expect(answered({ id: 1.0, tags: [{ label: 'x' }], shape: { edge: 1.5 }, both: 'a', extra: true })).toEqual([])
    expect(answered({}, { 'x-rate': '12' })).toEqual([])
    expect(told({ request: { path: '/pets/7', query: 'sort=asc&sort=desc', headers: { 'X-Level': '2' } } })).toEqual([])
  })

  test('what contradicts a type, an enumeration or a format is named with its place', () => {
    const field = (name: string, reason: string) =>
      `value-mismatch response 200 ${name}: The field "${name}" of the response 200 ${reason}.`
    expect(answered({ id: '1' })).toEqual([field('id', 'must be an integer, but is "1"')])
    expect(answered({ name: 18 })).toEqual([field('name', 'must be a string or null, but is 18')])
    expect(answered({ kind: 'cow' })).toEqual([field('kind', 'must be one of ["cat","dog"], but is "cow"')])
    expect(answered({ born: '2026-02-31' })).toEqual([
      field('born', 'must have the format "date", but is "2026-02-31"'),
    ])
    expect(answered({ owner: { mail: 'nobody' } })).toEqual([
      field('owner.mail', 'must have the format "email", but is "nobody"'),
    ])
    expect(answered({ tags: [{ label: 'a' }, { label: 2 }, { label: 3 }] })).toEqual([
      field('tags[].label', 'must be a string, but is 2'),
    ])
    expect(answered({ tags: 'a' })).toContain(field('tags', 'must be an array, but is "a"'))
    expect(answered({ shape: 'x' })).toEqual([field('shape', 'must be an integer, but is "x"')])
    expect(answered({ both: 'c' })).toEqual([field('both', 'must be one of ["a","b"], but is "c"')])
    expect(answered({ extra: 1 })).toEqual([field('extra', 'must be a boolean, but is 1')])
    expect(answered({}, { 'x-rate': 'many' })).toEqual([
      'value-mismatch response 200 X-Rate: The header "X-Rate" of the response 200 must be an integer, but is "many".',
    ])
  })

  test('requests are read as well: bodies, paths, queries and headers', () => {
    expect(
      told({ request: { method: 'PUT', path: '/pets/7', body: [{ id: 'x' }] }, response: { status: 204 } }),
    ).toEqual(['value-mismatch request null [].id: The field "[].id" of the request must be an integer, but is "x".'])
    const query = { sort: ['asc', 'up'], since: ['soon'] }
    expect(told({ request: { path: '/pets/seven', query, headers: { 'X-Level': '3' } } })).toEqual([
      'parameter-type parameter null id: The path parameter "id" must be an integer, but is "seven".',
      'parameter-type parameter null sort: The query parameter "sort" must be one of ["asc","desc"], but is "up".',
      'parameter-type parameter null since: The query parameter "since" must have the format "date", but is "soon".',
      'parameter-type parameter null X-Level: The header parameter "X-Level" must be one of [1,2], but is "3".',
    ])
  })
})

test('versions outside 1.x to 4.x are refused by name', () => {
  const read = (metadata: Json, interactions: Json = [{ request: { path: '/' } }]) => {
    const pact = readPact({ interactions, metadata })
    return typeof pact === 'string' ? pact : pact.specification
  }
  for (const version of ['1.0.0', '1.1', '2', '3.0.0', '4.0'])
    expect(read({ pactSpecification: { version } })).toBe(version)
  for (const version of ['5.0.0', '0.9.0', 'banana', '', '10.0', '-1'])
    expect(read({ pactSpecification: { version } })).toBe(
      `its version of the Pact specification is "${version}"; versions 1.x to 4.x are supported`,
    )
  expect([read({ pactSpecificationVersion: 5 }), read({ pactSpecification: {} }), read(null)]).toEqual([
    'its version of the Pact specification is "5"; versions 1.x to 4.x are supported',
    null,
    null,
  ])
  expect(read({}, [])).toBe(
    'it names no version of the Pact specification (metadata.pactSpecification.version) and has no interactions that show it',
  )
})
