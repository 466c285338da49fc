/** The functions of Spectral's OpenAPI ruleset, named by a ruleset in YAML. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { readRuleset } from '../../../src/lint/read-ruleset.ts'
import { selectRules } from '../../../src/lint/ruleset.ts'

const api = (version: string) => `${version}
info: { title: T, version: '1', x-size: null }
tags: [{ name: a }]
paths:
  '/a/{id}':
    get:
      operationId: one
      tags: [b]
      parameters: [{ name: q, in: query }, { name: q, in: query }]
      security: [{ none: [] }]
      responses: { '400': { description: d } }
  /b: { get: { operationId: one, responses: { '200': { description: d } } } }
components: { schemas: { A: { type: integer, example: x }, B: { $ref: '#/components/schemas/A', type: string } } }
`
const read = async (rules: string) => readRuleset(parseDocument(rules, { source: 'rules.yaml' }), async () => null)
const found = async (given: string, then: string, version = 'openapi: 3.0.3', more = ''): Promise<string[]> => {
  const { guide, problems } = await read(
    `rules: { r: { given: "${given}", message: '{{error}}', then: ${then}${more} } }`,
  )
  expect(problems.map((it) => it.message)).toEqual([])
  const { findings } = lint(parseDocument(api(version), { source: 'a.yaml' }), selectRules(guide, 'a.yaml'))
  return findings.filter(({ code }) => code === 'r').map(({ pointer, message }) => `${pointer}: ${message}`)
}

test('each function checks what it checks in Spectral', async () => {
  expect(
    await found(
      '$..[?(@ && @.example)]',
      '{ function: oasExample, functionOptions: { schemaField: $, oasVersion: 3, type: schema } }',
    ),
  ).toEqual(['/components/schemas/A/example: "example" property type must be integer'])
  expect(await found('$.paths', '{ function: oasPathParam }')).toEqual([
    '/paths/~1a~1{id}/get: Operation must define parameter "{id}" as expected by path "/a/{id}".',
  ])
  expect(await found('$.paths', '{ function: oasOpIdUnique }')).toEqual([
    '/paths/~1b/get/operationId: operationId must be unique.',
  ])
  expect(await found('$', '{ function: oasTagDefined }')).toEqual([
    '/paths/~1a~1{id}/get/tags/0: The tag "b" is not defined.',
  ])
  expect(await found('$..parameters', '{ function: oasOpParams }')).toEqual([
    '/paths/~1a~1{id}/get/parameters/1: Another parameter of this operation has the same "name" and "in".',
  ])
  expect(await found('$..responses', '{ function: oasOpSuccessResponse }')).toEqual([
    '/paths/~1a~1{id}/get/responses: Operation must define at least a single 2xx or 3xx response',
  ])
  expect(await found('$..security[*]', '{ function: oasSecurityDefined, functionOptions: { oasVersion: 3 } }')).toEqual(
    [
      '/paths/~1a~1{id}/get/security/0/none: Operation "security" values must match a scheme defined in the "components.securitySchemes" object.',
    ],
  )
  expect(await found('$', '{ function: oasUnusedComponent }')).toEqual([
    '/components/schemas/B: Potential orphaned reusable object has been detected',
  ])
  expect(
    await found("$..[?(@property === '$ref')]", '{ function: refSiblings }', 'openapi: 3.0.3', ', resolved: false'),
  ).toEqual(['/components/schemas/B/type: $ref must not be placed next to any other properties'])
})

test('oasSchema reads its schema as the version of OpenAPI does', async () => {
  const then = `{ field: x-size, function: oasSchema, functionOptions: { schema: { type: integer, nullable: true } } }`
  expect(await found('$.info', then)).toEqual([])
  expect(await found('$.info', then, 'openapi: 3.1.0')).toHaveLength(1)
  expect(await found('$.info', then, 'other: 1')).toHaveLength(1)
})

test('an unknown function names the nearest, and options are checked', async () => {
  const problems = async (then: string) =>
    (await read(`rules: { r: { given: $, then: ${then} } }`)).problems.map((it) => it.message)
  expect(await problems('{ function: oasExampel }')).toEqual([
    'There is no function "oasExampel"; did you mean "oasExample"?',
  ])
  expect(await problems('{ function: oasExample, functionOptions: { oasVersion: 4 } }')).toHaveLength(1)
  expect(await problems('{ function: oasPathParam, functionOptions: { a: 1 } }')).toEqual([
    'The function "oasPathParam" has no options.',
  ])
})
