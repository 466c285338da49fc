import { expect, test } from 'bun:test'
import { isObject, type Json } from '../../../../src/kernel/json.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { applyFixes } from '../../../../src/lint/fix/apply.ts'
import type { Rule } from '../../../../src/lint/rule.ts'
import { rules } from '../../../../src/lint/rules.gen.ts'

const fixed = (id: string, text: string, source = 'api.yaml'): string =>
  applyFixes(parseDocument(text, { source }), { [id]: rules[id] as Rule }, { 'shop.yaml': shop, 'bank.yaml': bank })
    .text

const shop = parseDocument('openapi: 3.1.0\npaths: { /pay: { post: { operationId: pay } } }\n', { source: 'shop.yaml' })
const bank = parseDocument('openapi: 3.1.0\npaths: { /owe: { post: { operationId: owe } } }\n', { source: 'bank.yaml' })
const flow = (text: string): string => `arazzo: 1.1.0\n${text}`
const sources = 'sourceDescriptions:\n  - { name: shop, url: shop.yaml, type: openapi } # ours\n'
const steps = (text: string): string => flow(`${sources}workflows:\n  - workflowId: buy\n    steps:\n${text}`)

const head = 'openapi: 3.0.3 # of old\ninfo: { title: T, version: 1.0.0 }\n'
const dialect = '$schema: https://json-schema.org/draft/2020-12/schema\n'
const ok = `responses: { '200': { description: ok } }`

const twoSources = (id: string): string =>
  flow(
    `${sources}  - { name: bank, url: bank.yaml, type: openapi }\nworkflows:\n  - { workflowId: buy, steps: [{ stepId: a, operationId: ${id} }] }\n`,
  )

/** Rule, before, after: everything else stays as it was written. */
const cases: readonly [rule: string, before: string, after: string][] = [
  [
    'oas3-server-trailing-slash',
    `${head}servers:\n  - url: 'https://a.example/' # first\n  - { url: https://b.example/v1/ }\n  - url: /\npaths: {}\n`,
    `${head}servers:\n  - url: 'https://a.example' # first\n  - { url: https://b.example/v1 }\n  - url: /\npaths: {}\n`,
  ],
  [
    'oas2-host-trailing-slash',
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\nhost: api.example/ # host\npaths: {}\n',
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\nhost: api.example # host\npaths: {}\n',
  ],
  [
    'operation-operationId-valid-in-url',
    `${head}paths: { /a: { get: { operationId: "get all pets", ${ok} } } }\n`,
    `${head}paths: { /a: { get: { operationId: "get-all-pets", ${ok} } } }\n`,
  ],
  [
    'no-$ref-siblings',
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      $ref: '#/components/schemas/B'\n      description: ignored\n    B: { type: string }\n    C: { description: x, $ref: '#/components/schemas/B' }\n`,
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      $ref: '#/components/schemas/B'\n    B: { type: string }\n    C: { $ref: '#/components/schemas/B' }\n`,
  ],
  [
    'oas3-unused-component',
    `${head}paths: {}\ncomponents:\n  schemas:\n    # nobody's\n    A:\n      type: object\n      properties:\n        b: { type: string }\n    B: { type: string }\nx-end: 1\n`,
    `${head}paths: {}\nx-end: 1\n`,
  ],
  [
    'oas2-unused-definition',
    `swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { responses: { "200": { description: ok, schema: { $ref: "#/definitions/B" } } } } } }\ndefinitions:\n  A: { type: string }\n  B: { type: string }\n`,
    `swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { responses: { "200": { description: ok, schema: { $ref: "#/definitions/B" } } } } } }\ndefinitions:\n  B: { type: string }\n`,
  ],
  [
    'openapi-tags-uniqueness',
    `${head}tags:\n  - name: a\n  # twice\n  - name: a\n    description: again\n  - name: b\npaths: {}\n`,
    `${head}tags:\n  - name: a\n  # twice\n  - name: b\npaths: {}\n`,
  ],
  [
    'operation-tag-defined',
    `${head}tags:\n- name: a # known\npaths: { /a: { get: { tags: [a, b], ${ok} } } }\n`,
    `${head}tags:\n- name: a # known\n- name: b\npaths: { /a: { get: { tags: [a, b], ${ok} } } }\n`,
  ],
  [
    'duplicated-entry-in-enum',
    `${head}paths: {}\ncomponents: { schemas: { A: { enum: [a, b, a, c, b] } } }\n`,
    `${head}paths: {}\ncomponents: { schemas: { A: { enum: [a, b, c] } } }\n`,
  ],
  [
    'array-items',
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      type: array # of what?\n    B: { type: array }\n`,
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      type: array # of what?\n      items: {}\n    B: { type: array, items: {} }\n`,
  ],
  [
    'no-script-tags-in-markdown',
    `openapi: 3.0.3\ninfo: { title: T, version: 1.0.0, description: "Hello <script>alert(1)</script>there" }\npaths: {}\n`,
    `openapi: 3.0.3\ninfo: { title: T, version: 1.0.0, description: "Hello there" }\npaths: {}\n`,
  ],
  [
    'path-params',
    `${head}paths:\n  /a/{id}/{key}:\n    get:\n      parameters:\n        - { name: id, in: path, schema: { type: string } }\n        - { name: gone, in: path, required: true, schema: { type: string } }\n      ${ok}\n`,
    `${head}paths:\n  /a/{id}/{key}:\n    get:\n      parameters:\n        - { name: id, in: path, schema: { type: string }, required: true }\n        - name: key\n          in: path\n          required: true\n          schema:\n            type: string\n      ${ok}\n`,
  ],
  [
    'path-params',
    `swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { '/a/{id}': { get: { ${ok} } } }\n`,
    `swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { '/a/{id}': { get: { ${ok}, parameters: [{ name: id, in: path, required: true, type: string }] } } }\n`,
  ],
  [
    'operation-operationId',
    `${head}paths:\n  /pets/{petId}:\n    get:\n      ${ok}\n    put: { operationId: getPetsPetId, ${ok} }\n`,
    `${head}paths:\n  /pets/{petId}:\n    get:\n      ${ok}\n      operationId: getPetsPetId2\n    put: { operationId: getPetsPetId, ${ok} }\n`,
  ],
  [
    'operation-parameters',
    `${head}paths: { /a: { get: { parameters: [{ name: q, in: query, schema: {} }, { name: q, in: query, schema: { type: string } }], ${ok} } } }\n`,
    `${head}paths: { /a: { get: { parameters: [{ name: q, in: query, schema: {} }], ${ok} } } }\n`,
  ],
  [
    'openapi-tags-alphabetical',
    `${head}tags:\n  - name: c\n    description: last\n  - name: a\n  - { name: b }\npaths: {}\n`,
    `${head}tags:\n  - name: a\n  - { name: b }\n  - name: c\n    description: last\npaths: {}\n`,
  ],
  [
    'oas2-operation-formData-consume-check',
    `swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { /a: { post: { consumes: [application/json], parameters: [{ name: f, in: formData, type: file }], ${ok} } } }\n`,
    `swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { /a: { post: { consumes: [application/json, multipart/form-data], parameters: [{ name: f, in: formData, type: file }], ${ok} } } }\n`,
  ],
  [
    'oas2-api-schemes',
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: {}\n',
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: {}\nschemes:\n  - https\n',
  ],
  [
    'oas2-discriminator',
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: {}\ndefinitions:\n  A:\n    discriminator: kind\n    properties: { kind: { type: string } }\n',
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: {}\ndefinitions:\n  A:\n    discriminator: kind\n    properties: { kind: { type: string } }\n    required:\n      - kind\n',
  ],
  [
    'mcp-hidden-text',
    'tools:\n  - name: a # one\n    description: "Finds\\u200B it."\n',
    'tools:\n  - name: a # one\n    description: "Finds it."\n',
  ],
  [
    'arazzo-no-script-tags-in-markdown',
    flow('info: { title: T, description: "Pays <script>alert(1)</script>" } # T\n'),
    flow('info: { title: T, description: "Pays" } # T\n'),
  ],
  [
    'arazzo-source-descriptions-type',
    flow('sourceDescriptions:\n  - name: shop # ours\n    url: shop.yaml\n'),
    flow('sourceDescriptions:\n  - name: shop # ours\n    url: shop.yaml\n    type: openapi\n'),
  ],
  ['arazzo-operation-source', twoSources('pay'), twoSources('$sourceDescriptions.shop.pay')],
  [
    'arazzo-step-messages',
    steps('      - stepId: a\n        operationId: pay # HTTP\n        action: send\n'),
    steps('      - stepId: a\n        operationId: pay # HTTP\n'),
  ],
  [
    'arazzo-step-operationPath',
    steps(`      - stepId: a\n        operationPath: '{$sourceDescriptions.shop.url}#/paths/~1pay/post' # by path\n`),
    steps(`      - stepId: a\n        operationId: '$sourceDescriptions.shop.pay' # by path\n`),
  ],
  ...Object.entries<[before: string, after: string]>({
    'json-schema-unknown-keyword': [
      'type: string # of text\nmaxLenght: 5 # five\n',
      'type: string # of text\nmaxLength: 5 # five\n',
    ],
    'json-schema-enum-unique': ['enum:\n  - red\n  - green # too\n  - red\n', 'enum:\n  - red\n  - green # too\n'],
    'json-schema-unused-definition': [
      `$ref: '#/$defs/A'\n$defs:\n  A: { type: string }\n  # nobody's\n  B: { type: string }\n`,
      `$ref: '#/$defs/A'\n$defs:\n  A: { type: string }\n  # nobody's\n`,
    ],
  }).map(([rule, [before, after]]): [string, string, string] => [rule, `${dialect}${before}`, `${dialect}${after}`]),
]

test.each(cases)('%s is fixed, and nothing else changes', (rule, before, after) => {
  expect(fixed(rule, before)).toBe(after)
  expect(fixed(rule, after)).toBe(after)
})

const valueOf = (text: string, source: string): Json => parseDocument(text, { source }).value

test.each(cases)('%s is fixed in JSON as in YAML, indented or not, with any line break', (rule, before, after) => {
  const [value, expected] = [valueOf(before, 'a.yaml'), valueOf(after, 'a.yaml')]
  for (const indent of [0, 2, '\t']) {
    const json = fixed(rule, JSON.stringify(value, null, indent), 'api.json')
    expect(valueOf(json, 'api.json')).toEqual(expected)
    expect(json.includes('\n')).toBe(indent !== 0)
    // A text that was written regularly stays so.
    if (indent === 2 && rule !== 'no-script-tags-in-markdown')
      expect(json).toBe(JSON.stringify(JSON.parse(json), null, 2))
  }
  const dos = fixed(rule, before.replaceAll('\n', '\r\n'))
  expect(dos.replaceAll('\r\n', '\n')).toBe(after)
  expect(/[^\r]\n/.test(dos)).toBe(false)
})

test('every rule with a fix has a case', () => {
  const able = Object.entries(rules)
    .filter(([, rule]) => isObject(rule) && 'fix' in rule)
    .map(([id]) => id)
  expect(able.length).toBeGreaterThanOrEqual(15)
  expect([...new Set(cases.map(([rule]) => rule))].toSorted()).toEqual(able.toSorted())
})

test.each([
  [
    'targets of aliases stay',
    'oas3-unused-component',
    `${head}paths: { /a: { get: { responses: { '200': { description: ok, content: { a/b: { schema: { $ref: '#/components/schemas/C' } } } } } } } }\ncomponents: { schemas: { A: &a { type: string }, C: *a } }\n`,
  ],
  [
    'a block scalar stays',
    'no-script-tags-in-markdown',
    'openapi: 3.0.3\ninfo:\n  title: T\n  version: 1.0.0\n  description: |\n    Hi <script>x</script>\npaths: {}\n',
  ],
  ['what stands alone stays', 'openapi-tags-uniqueness', `${head}tags: []\npaths: {}\n`],
])('%s', (_, rule, text) => expect(fixed(rule, text)).toBe(text))

test('many findings of one list are fixed at once, each item once', () => {
  const operations = (tags: (n: number) => string): string =>
    Array.from({ length: 120 }, (_, n) => `  /p${n}: { get: { tags: [${tags(n)}], ${ok} } }\n`).join('')
  const before = `${head}tags:\n  - name: a # known\npaths:\n${operations((n) => `t${n % 70}`)}`
  const after = fixed('operation-tag-defined', before)
  const names = Array.from({ length: 70 }, (_, n) => `  - name: t${n}\n`).join('')
  expect(after).toBe(before.replace('# known\n', `# known\n${names}`))
  expect(fixed('operation-tag-defined', after)).toBe(after)
  const json = fixed('operation-tag-defined', JSON.stringify(valueOf(before, 'a.yaml')), 'a.json')
  expect(valueOf(json, 'a.json')).toEqual(valueOf(after, 'a.yaml'))
})
