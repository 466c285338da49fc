/** Documents that say nothing of values but by the schemas that they name. */
import { expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import type { DiffOptions } from '../../../src/diff/options.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const library = (keyword: string, schemas: object, more: object = {}) =>
  parseDocument(
    JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', [keyword]: schemas, ...more }),
    {
      source: 'types.json',
    },
  )
const older = library('definitions', {
  Name: { type: 'string', maxLength: 9 },
  Pet: { type: 'object', properties: { name: { $ref: '#/definitions/Name' } } },
  Gone: { type: 'null' },
})
const newer = library('$defs', {
  Name: { type: 'string', maxLength: 3 },
  Pet: { type: 'object', properties: { name: { $ref: '#/$defs/Name' } } },
  Fresh: { type: 'null' },
})
const said = (mode: DiffOptions['mode'], base = older, head = newer) => {
  const result = diff(base, head, mode === undefined ? {} : { mode })
  return [result.verdict, result.witness?.value, ...result.changes.map((it) => `${it.classification} ${it.id}`).sort()]
}

test('are compared by name, wherever the names stand', () => {
  const names = ['schema-component-added', 'schema-component-removed']
  expect(said('backward')).toEqual([
    'breaking',
    'aaaa',
    'breaking schema-max-length-decreased',
    `safe ${names[0]}`,
    `unknown ${names[1]}`,
  ])
  expect(said('forward')).toEqual([
    'unknown',
    undefined,
    `safe ${names[1]}`,
    'safe schema-max-length-decreased',
    `unknown ${names[0]}`,
  ])
  expect(said('backward', newer, newer)).toEqual(['safe', undefined])
  expect(said(undefined)).toEqual(said('backward'))
})

test('and no others: where the root says something, it is what counts', () => {
  const [a, b] = [{ Name: { type: 'string' } }, { Name: { type: 'integer' } }]
  expect(said('backward', library('$defs', a, { type: 'object' }), library('$defs', b, { type: 'object' }))).toEqual([
    'safe',
    undefined,
  ])
})
