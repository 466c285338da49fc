import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import rule from '../../../src/lint/rules/operation-4xx-response.ts'

const found = (text: string): string[] =>
  lint(parseDocument(text, { source: 'api.yaml' }), { 'operation-4xx-response': rule }).findings.map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  )

test('operation-4xx-response reports what is wrong, where it is, and nothing else', () => {
  const operation = (...statuses: string[]) =>
    `{ responses: { ${statuses.map((it) => `'${it}': { description: d }`).join(', ')} } }`
  const withPaths = (version: string) => `${version}
paths:
  /a:
    get: ${operation('200')}
    put: ${operation('200', '404')}
    post: ${operation('201', '4XX')}
    patch: ${operation('200', 'default')}
    delete: ${operation('204', '500', '40', '4xx')}
    head: {}
`
  const message = 'Operation has no response for errors of clients; add a "4XX" or "default" response.'
  const expected = ['get', 'delete'].map((it) => `/paths/~1a/${it}/responses: ${message}`)
  expect(found(withPaths('openapi: 3.1.0'))).toEqual(expected)
  expect(found(withPaths("swagger: '2.0'"))).toEqual(expected)
})
