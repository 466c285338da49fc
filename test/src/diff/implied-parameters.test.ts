/** A variable of a path without a parameter is a text: what its declaration changes. */
import { expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const parse = (text: string, source: string) => parseDocument(text, { source })
const api = (parameters: string, path = '/a/{id}/{x}') =>
  `openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: { '${path}': { get: { ${parameters}responses: { '200': { description: ok } } } } }\n`
const declared = (schema: string, more = '') =>
  `parameters: [{ name: id, in: path, required: true, schema: ${schema}${more} }], `
const changes = (before: string, after: string) =>
  diff(parse(before, 'a.yaml'), parse(after, 'b.yaml')).changes.map((it) => `${it.severity} ${it.id}: ${it.message}`)

const now = 'docs-only parameter-added: Path parameter `id` is now declared; its path had it already'
const gone = 'docs-only parameter-removed: Path parameter `id` is no longer declared; its path still has it'

test('the declaration as a text, and its removal, are documentation', () => {
  expect(changes(api(''), api(declared('{ type: string, minLength: 0 }')))).toEqual([now])
  expect(changes(api(declared('{ type: string }')), api(''))).toEqual([gone])
  expect(changes(api(''), api(declared('{ type: string }').replace(', schema: { type: string }', '')))).toEqual([now])
})

test('a declaration of fewer texts breaks, and its removal does not', () => {
  expect(changes(api(''), api(declared('{ type: integer }')))).toEqual([
    'breaking schema-type-changed: Type of the parameter `id` changed from string to integer',
    now,
  ])
  expect(changes(api(declared('{ type: string, maxLength: 5 }')), api(''))).toEqual([
    'non-breaking schema-max-length-removed: Maximum length of the parameter `id` (5) was removed',
    gone,
  ])
})

test('what is written in another way, or is in no path, is a parameter that was added', () => {
  const added = 'breaking parameter-added: Path parameter `id` was added and is required'
  expect(changes(api(''), api(declared('{ type: string }', ', style: label')))).toEqual([added])
  expect(changes(api('', '/a'), api(declared('{ type: string }'), '/a'))).toEqual([added])
})

test('Swagger declares the type beside the name', () => {
  const swagger = (parameters: string) =>
    api(parameters).replace('openapi: 3.0.3', `swagger: '2.0'`).replace('/a/{id}/{x}', '/a/{id}')
  const own = `parameters: [{ name: id, in: path, required: true, type: string }], `
  expect(changes(swagger(''), swagger(own))).toEqual([now])
})
