/** Documents that differ only in what no operation uses are not called the same. */
import { expect, test } from 'bun:test'
import { conclusionOf } from '../../../src/diff/conclusion.ts'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const head = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n`
const compared = (before: string, after: string) => {
  const [base, next] = [before, after].map((it, index) => parseDocument(head + it, { source: `${index}.yaml` }))
  const result = diff(base!, next!)
  return { unused: result.unused, changes: result.changes.length, said: conclusionOf(result) }
}
const schemas = (text: string) => `components: { schemas: { ${text} } }\n`

test('components that differ and that no operation uses are named', () => {
  expect(
    compared(schemas('A: { type: string }, B: {}, C/d: {}'), schemas('A: { type: integer }, B: {}, C/d: { title: t }')),
  ).toEqual({
    unused: ['/components/schemas/A', '/components/schemas/C~1d'],
    changes: 0,
    said: 'Nothing changed for clients, but 2 components that no operation uses differ: components/schemas/A, components/schemas/C/d.',
  })
  const many = (type: string) => schemas(Array.from({ length: 7 }, (_, at) => `S${at}: { type: ${type} }`).join(', '))
  expect(compared(many('string'), many('integer')).said).toEndWith('components/schemas/S4 and 2 more.')
  expect(compared(schemas('A: { type: string }'), schemas('A: { type: integer }')).said).toBe(
    'Nothing changed for clients, but 1 component that no operation uses differs: components/schemas/A.',
  )
})

test('what is the same, what is written in another order, and what changed for clients', () => {
  const same = { unused: undefined, changes: 0, said: 'No differences found.' }
  expect(compared(schemas('A: { type: string }'), schemas('A: { type: string }'))).toEqual(same)
  expect(
    compared(schemas('A: { type: string, title: t }, B: {}'), schemas('B: {}, A: { title: t, type: string }')),
  ).toEqual(same)
  const used = (type: string) =>
    `paths: { /a: { get: { responses: { '200': { description: d, content: { a/b: { schema: { $ref: '#/components/schemas/A' } } } } } } } }\n${schemas(`A: { type: ${type} }, B: { type: ${type} }`)}`
  const { unused, changes } = compared(used('string'), used('integer'))
  expect([unused, changes]).toEqual([undefined, 1])
  // Security schemes are used by name.
  const scheme = (key: string) => `components: { securitySchemes: { a: { type: apiKey, in: header, name: ${key} } } }\n`
  expect(compared(scheme('k'), scheme('k'))).toEqual(same)
})
