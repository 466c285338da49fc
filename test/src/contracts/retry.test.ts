/** What a contract names and once was not found: whether a later specification has it. */
import { expect, test } from 'bun:test'
import type { Unresolved } from '../../../src/contracts/contract.ts'
import { retryUnresolved } from '../../../src/contracts/retry.ts'
import { specificationOf } from './documents.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const specification = specificationOf({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/things/{id}': {
      post: {
        parameters: [{ name: 'sort', in: 'query', schema: { type: 'string' } }],
        requestBody: json({ type: 'object', properties: { name: { type: 'string' } } }),
        responses: {
          '200': { description: 'Good', ...json({ type: 'object', properties: { id: { type: 'string' } } }) },
          '4XX': { description: 'Bad' },
        },
      },
    },
  },
})

const item = (more: Partial<Unresolved>): Unresolved => ({
  reason: 'field-not-found',
  interaction: null,
  method: 'POST',
  path: '/things/{id}',
  status: null,
  location: null,
  field: null,
  message: '',
  ...more,
})
const becomes = (more: Partial<Unresolved>): string => {
  const { missing, undecided } = retryUnresolved(specification, [item(more)])
  return missing.length > 0 ? 'missing' : undecided.length > 0 ? 'undecided' : 'there'
}

test('an operation by its template, by what its parameters are called, and by a path of a request', () => {
  expect(becomes({})).toBe('there')
  expect(becomes({ path: '/things/{name}' })).toBe('there')
  expect(becomes({ path: '/v1/things/7' })).toBe('there')
  expect(becomes({ method: 'GET' })).toBe('missing')
  expect(becomes({ path: '/others' })).toBe('missing')
  expect(becomes({ method: null })).toBe('missing')
  expect(becomes({ path: null })).toBe('missing')
})

test('parameters', () => {
  expect(becomes({ location: 'parameter', field: 'sort' })).toBe('there')
  expect(becomes({ location: 'parameter', field: 'limit' })).toBe('missing')
  expect(becomes({ location: 'parameter', field: 'name' })).toBe('missing')
  expect(becomes({ location: 'parameter' })).toBe('missing')
})

test('responses', () => {
  expect(becomes({ location: 'response', status: '200' })).toBe('there')
  expect(becomes({ location: 'response', status: '404' })).toBe('there')
  expect(becomes({ location: 'response', status: '500' })).toBe('missing')
  expect(becomes({ location: 'response' })).toBe('missing')
  expect(becomes({ location: 'request' })).toBe('there')
})

test('fields of requests and of responses, each in its own body', () => {
  expect(becomes({ location: 'request', field: 'name' })).toBe('there')
  expect(becomes({ location: 'request', field: 'id' })).toBe('missing')
  expect(becomes({ location: 'response', status: '200', field: 'id' })).toBe('there')
  expect(becomes({ location: 'response', status: '200', field: 'name' })).toBe('missing')
  expect(becomes({ location: 'response', field: 'id' })).toBe('missing')
  expect(becomes({ field: 'anything' })).toBe('there')
})

test('what nobody can say the meaning of stays undecided, and messages of events are no concern of the API', () => {
  for (const reason of ['ambiguous-path', 'body-not-json', 'body-schema-missing'] as const)
    expect(becomes({ reason, path: '/others' })).toBe('undecided')
  expect(becomes({ reason: 'unsupported-interaction', path: '/others' })).toBe('there')
})
