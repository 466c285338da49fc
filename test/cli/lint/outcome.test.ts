import { expect, test } from 'bun:test'
import { lintTarget, rankByImpact } from '../../../cli/lint/outcome.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { rules } from '../../../src/lint/rules.gen.ts'

const text = `openapi: 3.1.0
paths:
  /a: { get: { responses: { '200': { $ref: '#/components/responses/Ok' } } } }
  /b: { get: { responses: { '200': { $ref: '#/components/responses/Ok' } } } }
components:
  responses: { Ok: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } } }
  schemas:
    Alone: { type: array }
    Tree: { type: array }
`

test('the worst comes first, and of one severity what most operations reach', () => {
  const ruleset = Object.fromEntries(
    ['array-items', 'oas3-api-servers'].map((id) => [id, rules[id] ?? { given: [], then: [] }]),
  )
  const all = [
    lintTarget({ document: parseDocument(text, { source: 'api.yaml' }), documents: {} }, ruleset, { chosen: true }),
  ]
  const left = all.flatMap((it) => it.findings)
  expect(left.map((it) => it.pointer)).toEqual(['', '/components/schemas/Alone', '/components/schemas/Tree'])
  const { findings, reach } = rankByImpact(all, left)
  expect(findings.map((it) => [it.pointer, reach.get(it)])).toEqual([
    ['/components/schemas/Tree', 2],
    ['/components/schemas/Alone', 0],
    ['', 0],
  ])
})
