/** The functions of vacuum that rulesets may name. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { readRuleset } from '../../../src/lint/read-ruleset.ts'
import { selectRules } from '../../../src/lint/ruleset.ts'

const api = `openapi: 3.1.0
info: { title: T, version: '1', description: 'run eval(1) here' }
paths:
  /:
    get: { operationId: home, tags: [a, b], responses: { default: { description: d } } }
  /users/{userId}.json/Get:
    parameters: [{ name: userId, in: path }, { name: q, in: query, description: Q }]
    post: { tags: [], parameters: [{ name: x, in: query, description: '' }, { $ref: '#/components/parameters/P' }], responses: { '404': { description: d } } }
  /shoppingCart/v1.2/big-items:
    put: { operationId: put, responses: { '201': { description: d } } }
components:
  parameters: { P: { name: p, in: query } }
  schemas: { A: { description: one two three }, B: { type: string }, C: { $ref: '#/components/schemas/A' } }
`
const read = (rules: string) => readRuleset(parseDocument(rules, { source: 'rules.yaml' }), async () => null)

async function found(then: string, given = '$'): Promise<string[]> {
  const { guide, problems } = await read(`rules: { r: { given: "${given}", message: '{{error}}', then: ${then} } }`)
  expect(problems.map((it) => it.message)).toEqual([])
  const { findings } = lint(parseDocument(api, { source: 'a.yaml' }), selectRules(guide, 'a.yaml'))
  return findings.map(({ pointer, message }) => `${pointer}: ${message}`)
}

test('functions of paths', async () => {
  expect(await found('{ function: noVerbsInPath }')).toEqual([
    '/paths/~1users~1{userId}.json~1Get: Path "/users/{userId}.json/Get" names the method "Get".',
  ])
  expect(await found('{ function: pathsKebabCase }')).toEqual([
    '/paths/~1users~1{userId}.json~1Get: Not in kebab-case: "Get".',
    '/paths/~1shoppingCart~1v1.2~1big-items: Not in kebab-case: "shoppingCart".',
  ])
})

test('functions of operations and parameters', async () => {
  const users = '/paths/~1users~1{userId}.json~1Get'
  expect(await found('{ function: oasOpSingleTag }')).toEqual([
    '/paths/~1/get/tags: Operation has 2 tags; one is enough.',
  ])
  expect(await found('{ function: oasOperationTags }')).toEqual([
    `${users}/post/tags: The "tags" of the operation are empty.`,
    '/paths/~1shoppingCart~1v1.2~1big-items/put: Operation has no "tags".',
  ])
  expect(await found('{ function: oasOpId }')).toEqual([`${users}/post: Operation has no "operationId".`])
  expect(await found('{ function: oasParamDescriptions }')).toEqual([
    `${users}/parameters/0: Parameter "userId" has no description.`,
    `${users}/post/parameters/0: Parameter "x" has no description.`,
    '/components/parameters/P: Parameter "p" has no description.',
  ])
})

test('functions with options', async () => {
  expect(await found('{ function: oasComponentDescriptions, functionOptions: { minWords: "4" } }')).toEqual([
    '/components/parameters/P: "P" of parameters has no description.',
    '/components/schemas/A/description: The description of "A" in schemas has fewer words than 4: 3.',
    '/components/schemas/B: "B" of schemas has no description.',
  ])
  expect(await found('{ function: oasComponentDescriptions }')).toHaveLength(2)
  expect(await found('{ function: noEvalDescription, functionOptions: { pattern: "eval\\\\(" } }')).toEqual([
    '/info/description: Description contains what "eval\\(" forbids.',
  ])
  const success = '{ function: post-response-success, functionOptions: { properties: ["200", 201, default] } }'
  expect(await found(success, '$.paths[*][*].responses')).toEqual([
    '/paths/~1users~1{userId}.json~1Get/post/responses: Operation must describe one of these responses: 200, 201, default.',
  ])
  const { problems } = await read('rules: { r: { given: $, then: { function: noEvalDescription } } }')
  expect(problems.map((it) => it.message)).toEqual([
    'The function "noEvalDescription" has invalid options: must be object.',
  ])
})

test('a function of the whole document speaks once, wherever its rule looks', async () => {
  expect(await found('{ function: oasOpId }', '$.paths[*]')).toHaveLength(1)
  expect(await found('[{ function: oasOpId }, { function: noVerbsInPath }]', '$..*')).toHaveLength(2)
  expect(await found('[{ function: blank }]', '$..*')).toEqual([])
})
