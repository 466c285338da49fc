/** The operations that changes reach, as the newer document has them. */
import { expect, test } from 'bun:test'
import { changedOperations } from '../../../src/diff/changed-operations.ts'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'

const read = (value: Json) => parseDocument(JSON.stringify(value), { source: 'x.json' })
const answers = (schema: Json, more: Record<string, Json> = {}): Json => ({
  ...more,
  responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } },
})
const ref = { $ref: '#/components/schemas/Pet' }

test('what a shared schema reaches is selected, what went away or only has other texts is not', () => {
  const api = (pet: Json, more: Record<string, Json>): Json => ({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: answers(ref, { operationId: 'a' }) }, '/b': { post: answers(ref) }, ...more },
    components: { schemas: { Pet: pet } },
  })
  const base = read(
    api({ type: 'string' }, { '/gone': { get: answers({}) }, '/c': { get: answers({}, { summary: 'C' }) } }),
  )
  const head = read(
    api({ type: 'integer' }, { '/c': { get: answers({}, { summary: 'D' }) }, '/new': { put: answers({}) } }),
  )
  expect(changedOperations(diff(base, head, {}).changes, head.value)).toEqual([
    { method: 'GET', path: '/a', operationId: 'a' },
    { method: 'POST', path: '/b', operationId: null },
    { method: 'PUT', path: '/new', operationId: null },
  ])
  expect(changedOperations(diff(base, base, {}).changes, base.value)).toEqual([])
})
