import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { rules } from '../../../src/lint/rules.gen.ts'

/** For each rule: a document, and the exact places it is to be told of. Every document also holds what keeps the rule. */
const v2 = "swagger: '2.0'\n"
const v30 = 'openapi: 3.0.3\n'
const v31 = 'openapi: 3.1.0\n'
const cases: Readonly<Record<string, [document: string, places: string[]]>> = {
  'array-items': [
    `${v31}x: [{ type: array }, { type: array, items: {} }, { type: [array, 'null'] }, { type: string }]`,
    ['/x/0', '/x/2'],
  ],
  'arazzo-document-schema': [
    'arazzo: 1.0.0\ninfo: { title: T, version: "1" }\nsourceDescriptions: []\nworkflows: 1',
    ['/sourceDescriptions', '/workflows'],
  ],
  'contact-properties': [`${v31}info: { contact: { name: N, url: '' } }`, ['/info/contact', '/info/contact/url']],
  'duplicated-entry-in-enum': [`${v31}a: { enum: [1, 2] }\nb: { enum: [{ x: 1 }, { x: 1 }] }`, ['/b/enum']],
  'info-contact': [`${v31}info: { title: T }`, ['/info']],
  'info-description': [`${v31}info: { description: '' }`, ['/info/description']],
  'info-license': [`${v31}info: {}`, ['/info']],
  'license-url': [`${v31}info: { license: { name: MIT } }`, ['/info/license']],
  'no-$ref-siblings': [`${v30}a: { $ref: '#/b' }\nb: { c: { $ref: '#/a', description: x } }`, ['/b/c/description']],
  'no-eval-in-markdown': [`${v31}a: { description: 'run eval(1)' }\nb: { title: evaluate }`, ['/a/description']],
  'no-script-tags-in-markdown': [`${v31}a: { title: 'x <script>' }\nb: { summary: '<script' }`, ['/a/title']],
  'oas2-anyOf': [`${v2}definitions: { A: { anyOf: [{}] }, B: { allOf: [] } }`, ['/definitions/A/anyOf']],
  'oas2-api-host': [`${v2}basePath: /`, ['']],
  'oas2-api-schemes': [`${v2}schemes: []`, ['/schemes']],
  'oas2-discriminator': [
    `${v2}definitions: { A: { discriminator: t, properties: { t: {} }, required: [t] }, B: { discriminator: t } }`,
    ['/definitions/B', '/definitions/B'],
  ],
  'oas2-host-not-example': [`${v2}host: api.example.com`, ['/host']],
  'oas2-host-trailing-slash': [`${v2}host: api.test/`, ['/host']],
  'oas2-oneOf': [`${v2}definitions: { A: { oneOf: [{}] } }`, ['/definitions/A/oneOf']],
  'oas2-operation-formData-consume-check': [
    `${v2}paths: { /a: { get: { consumes: [text/plain], parameters: [{ in: formData }] }, put: { consumes: [multipart/form-data], parameters: [{ in: formData }] } } }`,
    ['/paths/~1a/get'],
  ],
  'oas2-operation-security-defined': [
    `${v2}securityDefinitions: { key: {}, o: { scopes: { r: x } } }\nsecurity: [{ key: [] }, { nope: [] }, { o: [r, w] }]`,
    ['/security/1/nope', '/security/2/o/1'],
  ],
  'oas2-parameter-description': [
    `${v2}parameters: { p: { in: query, description: d }, q: { in: query } }`,
    ['/parameters/q'],
  ],
  'oas2-schema': [`${v2}info: { title: T, version: '1' }\npaths: {}\nfoo: 1`, ['/foo']],
  'oas2-unused-definition': [
    `${v2}definitions: { A: {}, B: { items: { $ref: '#/definitions/A' } } }`,
    ['/definitions/B'],
  ],
  'oas2-valid-media-example': [
    `${v2}responses: { r: { schema: { type: integer }, examples: { application/json: x, text/json: 1 } } }`,
    ['/responses/r/examples/application~1json'],
  ],
  'oas2-valid-schema-example': [
    `${v2}definitions: { A: { type: string, example: 1 }, B: { type: string, x-nullable: true, default: null } }`,
    ['/definitions/A/example'],
  ],
  'oas3-api-servers': [`${v31}servers: []`, ['/servers']],
  'oas3-callbacks-in-callbacks': [
    `${v31}paths: { /a: { get: { callbacks: { on: { /x: { post: { callbacks: {} } } } } } } }`,
    ['/paths/~1a/get/callbacks/on/~1x/post/callbacks'],
  ],
  'oas3-examples-value-or-externalValue': [
    `${v31}components: { examples: { a: { value: 1 }, b: {}, c: { value: 1, externalValue: x } } }`,
    ['/components/examples/b', '/components/examples/c'],
  ],
  'oas3-operation-security-defined': [
    `${v31}paths: { /a: { get: { security: [{ nope: [] }, { o: [r, w] }] } } }\ncomponents: { securitySchemes: { o: { flows: { implicit: { scopes: { r: x } } } } } }`,
    ['/paths/~1a/get/security/0/nope', '/paths/~1a/get/security/1/o/1'],
  ],
  'oas3-parameter-description': [
    `${v31}paths: { /a: { get: { parameters: [{ in: query }, { $ref: '#/components/parameters/p' }] } } }\ncomponents: { parameters: { p: { in: query } } }`,
    ['/components/parameters/p', '/paths/~1a/get/parameters/0'],
  ],
  'oas3-schema': [`${v31}info: { title: T }\npaths: {}`, ['/info']],
  'oas3-server-not-example.com': [
    `${v31}servers: [{ url: https://example.com }, { url: https://a.test }]`,
    ['/servers/0/url'],
  ],
  'oas3-server-trailing-slash': [`${v31}servers: [{ url: https://a.test/ }, { url: / }]`, ['/servers/0/url']],
  'oas3-server-variables': [
    `${v31}servers: [{ url: 'https://{a}.test', variables: { a: { default: x, enum: [y] }, b: { default: z } } }, { url: '{c}' }]`,
    ['/servers/0/variables/a/default', '/servers/0/variables/b', '/servers/1'],
  ],
  'oas3-unused-component': [
    `${v31}components: { schemas: { A: {}, B: { $ref: '#/components/schemas/A' } }, securitySchemes: { s: {} } }`,
    ['/components/schemas/B'],
  ],
  'oas3-valid-media-example': [
    `${v31}paths: { /a: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/S' }, examples: { good: { value: { n: 1 } }, bad: { value: { n: x } } } } } } } } }\ncomponents: { schemas: { S: { required: [id], properties: { id: { readOnly: true }, n: { type: integer } } } } }`,
    ['/paths/~1a/post/requestBody/content/application~1json/examples/bad/value/n'],
  ],
  'oas3-valid-schema-example': [
    `${v30}components: { schemas: { A: { type: string, nullable: true, default: null }, B: { type: integer, example: x }, C: { properties: { example: { type: string } } } } }`,
    ['/components/schemas/B/example'],
  ],
  'oas3_1-callbacks-in-webhook': [`${v31}webhooks: { w: { post: { callbacks: {} } } }`, ['/webhooks/w/post/callbacks']],
  'oas3_1-servers-in-webhook': [`${v31}webhooks: { w: { post: { servers: [] } } }`, ['/webhooks/w/post/servers']],
  'oas3_2-no-deprecated-xml-attribute': [
    'openapi: 3.2.0\na: { xml: { attribute: true } }\nb: { xml: { name: x } }',
    ['/a/xml'],
  ],
  'openapi-tags': [`${v31}info: {}`, ['']],
  'openapi-tags-alphabetical': [`${v31}tags: [{ name: b }, { name: a }]`, ['/tags']],
  'openapi-tags-uniqueness': [`${v31}tags: [{ name: a }, { name: b }, { name: a }]`, ['/tags/2/name']],
  'operation-description': [`${v31}paths: { /a: { get: { description: d }, put: {} } }`, ['/paths/~1a/put']],
  'operation-operationId': [`${v31}paths: { /a: { get: { operationId: i }, put: {} } }`, ['/paths/~1a/put']],
  'operation-operationId-unique': [
    `${v31}paths: { /a: { get: { operationId: i }, put: { operationId: i } } }`,
    ['/paths/~1a/put/operationId'],
  ],
  'operation-operationId-valid-in-url': [
    `${v31}paths: { /a: { get: { operationId: a b }, put: { operationId: a-b } } }`,
    ['/paths/~1a/get/operationId'],
  ],
  'operation-parameters': [
    `${v31}paths: { /a: { get: { parameters: [{ name: x, in: query }, { name: x, in: header }, { $ref: '#/p' }] } } }\np: { name: x, in: query }`,
    // The second of the two is a reference: its target is reported.
    ['/p'],
  ],
  'operation-singular-tag': [
    `${v31}paths: { /a: { get: { tags: [a, b] }, put: { tags: [a] } } }`,
    ['/paths/~1a/get/tags'],
  ],
  'operation-success-response': [
    `${v31}paths: { /a: { get: { responses: { '404': {} } }, put: { responses: { 2XX: {} } } } }`,
    ['/paths/~1a/get/responses'],
  ],
  'operation-summary': [`${v31}paths: { /a: { get: { summary: s }, put: {} } }`, ['/paths/~1a/put']],
  'operation-tag-defined': [
    `${v31}tags: [{ name: a }]\npaths: { /a: { get: { tags: [a, b] } } }`,
    ['/paths/~1a/get/tags/1'],
  ],
  'operation-tags': [`${v31}paths: { /a: { get: { tags: [] }, put: { tags: [a] } } }`, ['/paths/~1a/get/tags']],
  'path-declarations-must-exist': [`${v31}paths: { '/a/{}': {}, /b: {} }`, ['/paths/~1a~1{}']],
  'path-keys-no-trailing-slash': [`${v31}paths: { /a/: {}, /: {} }`, ['/paths/~1a~1']],
  'path-not-include-query': [`${v31}paths: { '/a?b=c': {}, /b: {} }`, ['/paths/~1a?b=c']],
  'path-params': [
    `${v31}paths: { '/a/{x}': { get: {} }, '/a/{y}': { parameters: [{ name: y, in: path }, { name: z, in: path, required: true }], get: {} } }`,
    ['/paths/~1a~1{x}/get', '/paths/~1a~1{y}', '/paths/~1a~1{y}/parameters/0', '/paths/~1a~1{y}/parameters/1'],
  ],
  'tag-description': [`${v31}tags: [{ name: a, description: d }, { name: b }]`, ['/tags/1']],
  'typed-enum': [`${v31}a: { type: [integer, 'null'], enum: [1, null, x, 1.5] }`, ['/a/enum/2', '/a/enum/3']],
}

test('every rule has a case here, or an example of its own', () => {
  const own = Object.keys(rules).filter((id) => rules[id]?.help !== undefined)
  expect([...new Set([...Object.keys(cases), ...own])].sort()).toEqual(Object.keys(rules).sort())
})

for (const [id, [text, places]] of Object.entries(cases))
  test(id, () => {
    const rule = rules[id]
    const document = parseDocument(text, { source: 'd.yaml' })
    expect(document.problems).toEqual([])
    const { findings } = lint(document, rule === undefined ? {} : { [id]: rule })
    const told = findings.filter(({ code }) => code === id)
    expect(told.map(({ pointer }) => pointer).sort()).toEqual(places)
    for (const { message, severity } of told) {
      // Every placeholder was filled.
      expect(message).not.toMatch(/\{\{|#\{/)
      expect(severity).toBe(rule?.severity ?? 'warning')
    }
  })
