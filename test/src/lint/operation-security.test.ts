import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import rule from '../../../src/lint/rules/operation-security.ts'

const found = (text: string): string[] =>
  lint(parseDocument(text, { source: 'api.yaml' }), { 'operation-security': rule }).findings.map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  )

test('operation-security reports what is wrong, where it is, and nothing else', () => {
  const operation = 'responses: {}'
  const head = 'openapi: 3.1.0\n'
  const none = `paths: { /a: { get: { ${operation} }, put: { ${operation} } } }\n`
  const some = `paths: { /a: { get: { ${operation}, security: [] }, put: { ${operation} } }, /b: { get: { ${operation} } } }\n`
  expect(found(head + none)).toEqual([
    ': Neither the document nor any operation has "security"; write "security: []" if none is needed.',
  ])
  expect(found(head + some)).toEqual(
    ['/paths/~1a/put', '/paths/~1b/get'].map(
      (it) => `${it}: Operation has no "security", and the document has none; write "security: []" if none is needed.`,
    ),
  )
  expect(found(`${head}security: []\n${none}`)).toEqual([])
  expect(found(`${head}paths: {}\n`)).toEqual([])
})
