import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import rule from '../../../src/lint/rules/oas-required-declared.ts'

const found = (text: string): string[] =>
  lint(parseDocument(text, { source: 'api.yaml' }), { 'oas-required-declared': rule }).findings.map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  )

test('oas-required-declared reports what is wrong, where it is, and nothing else', () => {
  const schemas = (text: string) => `openapi: 3.1.0\ncomponents: { schemas: { ${text} } }\n`
  const message = (name: string, more = '') => `"${name}" is required, but "properties" does not declare it${more}.`
  expect(
    found(schemas('A: { properties: { a: {}, default: { properties: { c: {} }, required: [d] } }, required: [b, a] }')),
  ).toEqual([
    `/components/schemas/A/properties/default/required/0: ${message('d')}`,
    `/components/schemas/A/required/0: ${message('b')}`,
  ])
  expect(found(schemas('A: { properties: { a: {} }, required: [b], additionalProperties: false }'))).toEqual([
    `/components/schemas/A/required/0: ${message('b', ' and additional properties are not allowed, so no value is valid')}`,
  ])
  // Declared in a schema that applies to the same value, here or by reference.
  expect(
    found(
      schemas(
        `A: { properties: { a: {} } }, B: { allOf: [{ $ref: '#/components/schemas/A' }, { properties: { b: {} }, required: [a, b] }] }`,
      ),
    ),
  ).toEqual([])
  // Open, without properties, or a value that only looks like a schema.
  expect(
    found(
      schemas(
        `A: { properties: { a: {} }, required: [b], additionalProperties: true }, B: { required: [b] }, C: { example: { properties: { a: 1 }, required: [b] } }, D: { properties: { a: {} }, required: true }`,
      ),
    ),
  ).toEqual([])
  const swagger = `swagger: '2.0'\ndefinitions: { A: { properties: { a: {} }, required: [b] } }\n`
  expect(found(swagger)).toEqual([`/definitions/A/required/0: ${message('b')}`])
})
