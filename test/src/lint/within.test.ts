import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

const text = `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: https://api.pets.test/ }]
paths:
  /pets/{id}:
    get: { operationId: a, responses: { '200': { description: Fine, content: { text/plain: { schema: { $ref: '#/components/schemas/Pet' } } } } } }
    put: { operationId: a, summary: Same, tags: [nowhere], responses: {} }
components:
  schemas:
    Pet: { enum: [1, 1] }
    Old: { type: objekt }
`

test('a part of a document has the findings that rules make by looking at it, and no others', () => {
  const document = parseDocument(text, { source: 'a.yaml' })
  const all = lint(document, recommended.ruleset)
  for (const part of [
    ['paths', '/pets/{id}', 'get'],
    ['paths', '/pets/{id}', 'put'],
    ['components', 'schemas', 'Old'],
    ['paths'],
    ['info'],
  ]) {
    const { findings, passed } = lint(document, recommended.ruleset, { within: part })
    const expected = all.findings.filter(
      (it) => part.every((step, index) => it.path[index] === step) && !passed.has(it.code) && it.code !== 'invalid-ref',
    )
    expect(findings.filter((it) => !passed.has(it.code))).toEqual(expected)
  }
  const { findings, passed } = lint(document, recommended.ruleset, { within: ['paths', '/pets/{id}', 'put'] })
  expect(findings.map(({ code }) => code).toSorted()).toEqual(['operation-description', 'operation-success-response'])
  const above = ['oas3-schema', 'operation-operationId-unique', 'oas3-unused-component', 'operation-tag-defined']
  expect(above.filter((it) => passed.has(it))).toEqual(above)
})

test('a part that is not there has no findings', () => {
  const document = parseDocument(text, { source: 'a.yaml' })
  expect(lint(document, recommended.ruleset, { within: ['paths', '/none', 'get'] }).findings).toEqual([])
})
