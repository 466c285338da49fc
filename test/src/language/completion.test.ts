import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { complete, type CompletionAround } from '../../../src/language/completion.ts'

const none = { isRuleset: false, others: {} }

/** The proposals at "|" in a text, and the text with the first of them (or the named one) in it. */
function at(marked: string, around: Partial<CompletionAround> = {}, label?: string) {
  const offset = marked.indexOf('|')
  const text = marked.slice(0, offset) + marked.slice(offset + 1)
  const found = complete(text, offset, { syntax: 'yaml', ...none, ...around })
  const labels = found?.proposals.map((it) => it.label) ?? []
  const chosen = found?.proposals.find((it) => label === undefined || it.label === label)
  const after =
    found === null || chosen === undefined ? '' : text.slice(0, found.start) + chosen.text + text.slice(found.end)
  return { labels, after }
}

const head = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\ntags: [{ name: pets }, { name: toys }]\n`
const tail = `components:\n  securitySchemes: { key: { type: http } }\n  parameters: { limit: {} }\n  schemas:\n    Pet: { type: object }\n    Toy: {}\n`

test('properties that an object may have, without those that it has', () => {
  const { labels, after } = at(
    `${head}paths:\n  /pets:\n    get:\n      summary: S\n      opera|\n      tags: []\n${tail}`,
    {},
    'operationId',
  )
  expect(labels).toEqual([
    'description',
    'externalDocs',
    'operationId',
    'parameters',
    'requestBody',
    'responses',
    'callbacks',
    'deprecated',
    'security',
    'servers',
  ])
  expect(after).toContain('      operationId: \n      tags')
  expect(at(`${head}paths:\n  /pets:\n    get:\n      |\n${tail}`).labels).toContain('responses')
  expect(at(`${head}|\n${tail}`).labels).toEqual([
    'externalDocs',
    'servers',
    'security',
    'paths',
    'jsonSchemaDialect',
    'webhooks',
  ])
  expect(at(`${head}paths: { /pets: { get: { responses: { | } } } }\n`).labels.slice(0, 4)).toEqual([
    'default',
    '200',
    '201',
    '202',
  ])
  expect(at(`${head}components:\n  schemas:\n    Pet:\n      properties:\n        name: { typ| }\n`).labels).toContain(
    'type',
  )
})

test('values that are prescribed', () => {
  expect(at(`${head}components: { parameters: { a: { in: | } } }`)).toEqual({
    labels: ['path', 'query', 'header', 'cookie'],
    after: `${head}components: { parameters: { a: { in: path } } }`,
  })
  expect(at(`${head}components:\n  parameters:\n    a:\n      required: t|\n      in: path\n`)).toEqual({
    labels: ['true', 'false'],
    after: `${head}components:\n  parameters:\n    a:\n      required: true\n      in: path\n`,
  })
  expect(at(`${head}paths:\n  /a:\n    get:\n      tags:\n        - |\n`).labels).toEqual(['pets', 'toys'])
  expect(at(`${head}paths:\n  /a:\n    get:\n      tags: [pe|]\n`).labels).toEqual(['pets', 'toys'])
  expect(at(`${head}security:\n  - |\n${tail}`).labels).toEqual(['key'])
  expect(
    at(`${head}components:\n  schemas:\n    A:\n      properties: { a: {}, b: {} }\n      required:\n        - |\n`)
      .labels,
  ).toEqual(['a', 'b'])
})

test('references to definitions of the kind that belongs there, and to other files', () => {
  const text = `${head}paths:\n  /a:\n    get:\n      parameters:\n        - $ref: '|'\n${tail}`
  expect(at(text)).toEqual({
    labels: ['#/components/parameters/limit'],
    after: text.replace('|', '#/components/parameters/limit'),
  })
  const schema = `${head}${tail}    List: { items: { $ref: | } }\n`
  expect(at(schema)).toEqual({
    labels: ['#/components/schemas/Pet', '#/components/schemas/Toy', '#/components/schemas/List'],
    after: schema.replace('|', "'#/components/schemas/Pet'"),
  })
  const others = { 'pet.yaml': parseDocument('Pet: {}\nDog: {}\n', { source: 'pet.yaml' }) }
  expect(at(`${head}components:\n  schemas:\n    A:\n      $ref: |\n`, { others }).labels).toEqual(['pet.yaml#'])
  expect(at(`${head}components:\n  schemas:\n    A:\n      $ref: pet.yaml#/|\n`, { others })).toEqual({
    labels: ['pet.yaml#/Pet', 'pet.yaml#/Dog'],
    after: `${head}components:\n  schemas:\n    A:\n      $ref: 'pet.yaml#/Pet'\n`,
  })
})

test('JSON that is unfinished', () => {
  const json = { syntax: 'json' } as const
  const before = '{\n  "openapi": "3.1.0",\n  "info": {\n    "title": "T",\n    '
  expect(at(`${before}"|"\n  }\n}`, json).labels).toEqual([
    'description',
    'termsOfService',
    'contact',
    'license',
    'version',
    'summary',
  ])
  expect(at(`${before}|\n  }\n}`, json, 'version').after).toBe(`${before}"version": \n  }\n}`)
  expect(at(`${before}"|\n    "version": "1" }\n}`, json).labels).toContain('summary')
  const ref = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": {"type": "|"}, "b": {"$ref": "#|"}}}`
  expect(at(ref.replace('#|', '#'), json).labels).toEqual([
    'array',
    'boolean',
    'integer',
    'null',
    'number',
    'object',
    'string',
  ])
  expect(at(ref.replace('|', ''), json).labels).toEqual(['#/$defs/a'])
})

test('rulesets have names of rules, severities, functions and guides', () => {
  const ruleset = { isRuleset: true }
  expect(at('extends: |\n', ruleset).labels).toContain('spectral:oas')
  expect(at('extends: [spectral:oas, |]\n', ruleset).labels).toContain('svc:recommended')
  expect(at('rules:\n  operation-|\n', ruleset, 'operation-tags').after).toBe('rules:\n  operation-tags: \n')
  expect(at('rules:\n  operation-tags: |\n', ruleset).labels).toEqual(['error', 'warn', 'info', 'hint', 'off'])
  expect(at('rules:\n  mine:\n    given: $\n    then:\n      function: |\n', ruleset).labels).toContain('casing')
  expect(at('rules:\n  mine:\n    given: $\n    sev|\n', ruleset).labels).toEqual([
    'description',
    'message',
    'severity',
    'then',
    'formats',
    'recommended',
    'resolved',
    'type',
    'documentationUrl',
  ])
})

test('nothing is proposed where nothing is prescribed', () => {
  expect(at('services:\n  web:\n    |\n').labels).toEqual([])
  expect(at(`${head}info2:\n  x: |\n`).labels).toEqual([])
  expect(at('|').labels).toEqual([])
})
