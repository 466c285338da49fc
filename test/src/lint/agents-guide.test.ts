import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { tokensOf } from '../../../src/lint/descriptors/budget.ts'
import { lint } from '../../../src/lint/lint.ts'
import { grade } from '../../../src/lint/grade.ts'
import { builtinRulesets } from '../../../src/lint/rulesets/builtin.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'
import type { Json } from '../../../src/kernel/json.ts'

const agents = builtinRulesets['svc:agents'] ?? {}
const codesOf = (value: Json, ruleset = agents): string[] => {
  const document = parseDocument(JSON.stringify(value), { source: 'a.json' })
  return lint(document, ruleset).findings.map(({ code, pointer }) => `${code} ${pointer}`)
}
const answer = (schema: Json, more: Record<string, Json> = {}): Json => ({
  description: 'ok',
  content: { 'application/json': { schema, ...more } },
})
const api = (operation: Record<string, Json>): Json => ({
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: { '/a': { get: operation } },
  components: { schemas: { Named: { type: 'object', properties: { id: { type: 'string', examples: ['a1'] } } } } },
})
const named = { operationId: 'list', summary: 'List', description: 'Lists all.' }
const failed = { '4XX': answer({ type: 'object' }) }

test('svc:agents asks an operation for summary, examples and the shape of errors', () => {
  expect(codesOf(api({ responses: { 200: answer({ type: 'object' }) } }))).toEqual([
    'operation-description /paths/~1a/get',
    'operation-operationId /paths/~1a/get',
    'operation-summary /paths/~1a/get',
    'operation-error-schema /paths/~1a/get/responses',
    'operation-example /paths/~1a/get/responses/200',
  ])
  // An example of the media type, or a value that a schema says, also behind a reference.
  for (const good of [answer({ type: 'object' }, { example: {} }), answer({ $ref: '#/components/schemas/Named' })])
    expect(codesOf(api({ ...named, responses: { 200: good, ...failed } }))).toEqual([])
  expect(codesOf(api({ ...named, responses: { 204: { description: 'done' }, 404: { description: 'no' } } }))).toEqual([
    'operation-error-schema /paths/~1a/get/responses',
  ])
})

test('svc:agents counts the tokens of all tools, what "$defs" would save, and names that hosts refuse', () => {
  const place = {
    type: 'object',
    properties: { lat: { type: 'number', description: 'North of the equator' }, lon: { type: 'number' } },
    required: ['lat', 'lon'],
  }
  const route = { type: 'object', properties: { from: place, to: place, via: { type: 'array', items: place } } }
  const tool = {
    name: 'find.route',
    description: 'Finds a way between two places.',
    inputSchema: route,
    annotations: { readOnlyHint: true },
  }
  const found = codesOf({ tools: [tool] })
  expect(found).toContain('mcp-tool-schema-repeats /tools/0/inputSchema')
  expect(found).toContain('mcp-tool-name-portable /tools/0/name')
  expect(found.some((it) => it.startsWith('mcp-tools-budget'))).toBe(false)
  const many = Array.from({ length: 39 }, (_, at) => ({ ...tool, name: `t${at}`, description: 'x'.repeat(900) }))
  expect(tokensOf(many)).toBeGreaterThan(8000)
  expect(codesOf({ tools: many })).toContain('mcp-tools-budget /tools')
})

test('the score with svc:agents is one number from 0 to 100, which the recommended guide does not change', () => {
  const document = parseDocument(JSON.stringify(api({ responses: { 200: answer({ type: 'object' }) } })), {
    source: 'a',
  })
  const score = (ruleset: typeof agents) => grade(lint(document, ruleset).rules, true)?.score ?? null
  expect(score(agents)).toBeLessThan(90)
  expect(Object.keys(recommended.ruleset)).not.toContain('operation-example')
})
