import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

const findings = (text: string) =>
  lint(parseDocument(text, { source: 'api.yaml' }), recommended.ruleset).findings.map(
    ({ code, severity, pointer, range }) =>
      `${range.start.line + 1}:${range.start.character + 1} ${severity} ${code} ${pointer}`,
  )

const clean = `openapi: 3.1.0
info: { title: T, version: 1.0.0, description: D, contact: { name: N } }
servers: [{ url: https://example.com }]
tags: [{ name: t, description: d }]
paths:
  /a/{id}:
    get:
      operationId: getA
      summary: S
      description: D
      tags: [t]
      parameters: [{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }]
      responses: { '200': { description: ok } }
components:
  schemas:
    Id: { type: string }
`

test('a document that keeps every rule has no finding', () => expect(findings(clean)).toEqual([]))

test('every finding has the exact place in the text', () => {
  const text = clean
    .replace('description: D, contact: { name: N }', 'x-a: 1')
    .replace('https://example.com', 'https://example.com/')
    .replace('operationId: getA', 'operationId: "get A"')
    .replace('tags: [t]\n', 'tags: [t, other]\n')
    .replace('required: true, ', '')
    .replace("'200'", "'400'")
    .replace('type: string', 'type: string, enum: [a, a, 1]')
  expect(findings(text)).toEqual([
    '2:6 warning info-contact /info',
    '2:6 warning info-description /info',
    '3:18 warning oas3-server-trailing-slash /servers/0/url',
    '8:20 warning operation-operationId-valid-in-url /paths/~1a~1{id}/get/operationId',
    '11:17 warning operation-tag-defined /paths/~1a~1{id}/get/tags/1',
    '12:20 error oas3-schema /paths/~1a~1{id}/get/parameters/0',
    '12:20 error path-params /paths/~1a~1{id}/get/parameters/0',
    '13:17 warning operation-success-response /paths/~1a~1{id}/get/responses',
    '16:30 warning duplicated-entry-in-enum /components/schemas/Id/enum',
    '16:38 warning typed-enum /components/schemas/Id/enum/2',
  ])
})

test('a text that cannot be read, and references that lead nowhere', () => {
  expect(findings('openapi: 3.1.0\ninfo: [\n').map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
    'error parser',
  ])
  expect(findings(clean.replace('schemas/Id', 'schemas/No')).map((line) => line.split(' ').slice(1).join(' '))).toEqual(
    [
      'error invalid-ref /paths/~1a~1{id}/get/parameters/0/schema/$ref',
      'warning oas3-unused-component /components/schemas/Id',
    ],
  )
})

test('targets count what a rule looked at', () => {
  const { rules } = lint(parseDocument(clean, { source: 'api.yaml' }), recommended.ruleset)
  expect(rules.find((rule) => rule.code === 'operation-summary')).toEqual({
    code: 'operation-summary',
    severity: 'info',
    hits: 0,
    targets: 1,
  })
})

test('what references lead to is found in its own file: structure, broken references, texts that cannot be read', () => {
  const documents = {
    'sub/a.yaml': parseDocument(
      'get:\n  operationId: a\n  responses: { "200": { $ref: b.yaml#/R } }\n  parameters: [{ $ref: b.yaml#/Gone }]\n',
      { source: 'sub/a.yaml' },
    ),
    'sub/b.yaml': parseDocument('R: { content: {}, foo: 1 }\nUnused: { foo: 1 }\nR: { content: {}, foo: 2 }\n', {
      source: 'sub/b.yaml',
    }),
  }
  const root = parseDocument('openapi: 3.0.0\ninfo: { title: t, version: v }\npaths:\n  /a: { $ref: sub/a.yaml }\n', {
    source: 'api.yaml',
  })
  const found = lint(root, recommended.ruleset, { documents }).findings.filter((it) => it.severity === 'error')
  expect(
    found.map(
      ({ source, range, code, pointer }) =>
        `${source}:${range.start.line + 1}:${range.start.character + 1} ${code} ${pointer}`,
    ),
  ).toEqual([
    'sub/a.yaml:4:24 invalid-ref /get/parameters/0/$ref',
    'sub/b.yaml:3:1 parser /R',
    'sub/b.yaml:3:3 oas3-schema /R',
    'sub/b.yaml:3:24 oas3-schema /R/foo',
  ])
})

test('findings on a reference stand at what it leads to, but at the reference where something stands beside it', async () => {
  const document = parseDocument('p: { $ref: "#/d", x: 1 }\nq: { $ref: "#/d" }\nd: { type: string, e: 1 }\n', {
    source: 'a.yaml',
  })
  const ruleset = {
    r: {
      given: ['$[?(@.type == "string")]'],
      then: [{ field: 'x', run: () => [{ message: '#{{print("property")}}' }] }],
    },
    s: { given: ['$.p'], then: [{ field: 'e', run: () => [{ message: '#{{print("property")}}' }] }] },
  }
  expect(lint(document, ruleset).findings.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`)).toEqual(
    ['r /p/x "x" property', 'r /d "d" property', 'r /d "d.x" property', 's /d/e "e" property'],
  )
})

test('what the files of a document refer to is looked up from where it stands', () => {
  const inFile = (source: string, text: string) => parseDocument(text, { source })
  const entry = inFile(
    'api.yaml',
    clean
      .replace('  /a/{id}:\n', '  /b/{id}: { $ref: "paths/b_{id}.yaml" }\n  /a/{id}:\n')
      .replace('components:\n', 'components:\n  securitySchemes: { Key: { type: apiKey, in: header, name: k } }\n'),
  )
  const item = `parameters: [{ $ref: '../id.yaml' }]
get:
  operationId: getB
  summary: S
  description: D
  tags: [t]
  security: [{ Key: [] }, { Token: [] }]
  responses: { '200': { description: ok } }
`
  const documents = {
    'paths/b_{id}.yaml': inFile('paths/b_{id}.yaml', item),
    'id.yaml': inFile('id.yaml', 'name: id\nin: path\nrequired: true\nschema: { type: string }\n'),
  }
  const found = lint(entry, recommended.ruleset, { documents }).findings
  expect(found.map(({ code, source, pointer }) => `${source} ${code} ${pointer}`)).toEqual([
    'paths/b_{id}.yaml oas3-operation-security-defined /get/security/1/Token',
  ])
})

test('examples of OpenAPI 3.2 may tell data and what goes over the wire apart', () => {
  const examples = `{ data: { dataValue: 1 }, wire: { serializedValue: '1' }, odd: { dataValue: one } }`
  const content = `{ application/json: { schema: { type: integer }, examples: ${examples} } }`
  const text = clean
    .replace('3.1.0', '3.2.0')
    .replace('{ description: ok }', `{ description: ok, content: ${content} }`)
  const place = '/paths/~1a~1{id}/get/responses/200/content/application~1json/examples/odd/dataValue'
  expect(findings(text)).toEqual([`13:190 error oas3-valid-media-example ${place}`])
})

test('messages escape a path as Spectral does, and overrides match it escaped or not', () => {
  const document = parseDocument('paths: { "/a b/{id}": { "$x": 1, "–ü": 2 } }', { source: 'api.yaml' })
  const rule = { given: ['$.paths[*][*]'], then: [{ run: () => [{ message: 'at {{path}}' }] }] }
  const said = (pointer: string) =>
    lint(document, { r: { ...rule, overrides: [{ pointer, severity: 'error', fits: () => true }] } }).findings.map(
      ({ severity, message }) => `${severity} ${message}`,
    )
  const [first, second] = ['at #/paths/~1a%20b~1%7Bid%7D/%24x', 'at #/paths/~1a%20b~1%7Bid%7D/–%C3%BC']
  expect(said('/info')).toEqual([`warning ${first}`, `warning ${second}`])
  expect(said('/paths/~1a b~1{id}/$x')).toEqual([`error ${first}`, `warning ${second}`])
  expect(said('/paths/~1a%20b~1%7Bid%7D/–%C3%BC')).toEqual([`warning ${first}`, `error ${second}`])
})

test('a custom function is called on each way to a node, and a way that leads back ends', () => {
  const text = `paths:
  /a: { post: { '200': { $ref: '#/s/A' }, '201': { $ref: '#/s/A' } } }
s:
  A: { p: { q: 1, b: { $ref: '#/s/B' } } }
  B: { p: { a: { $ref: '#/s/A' } } }
`
  const ways: string[] = []
  const rule = {
    given: ['$.paths..p'],
    then: [
      {
        custom: true as const,
        run: (_: unknown, __: unknown, { way }: { readonly way: readonly (string | number)[] }) => {
          ways.push(way.slice(3).join('.'))
          return way.includes('201') ? [{ message: 'later' }] : []
        },
      },
    ],
  }
  const { findings } = lint(parseDocument(text, { source: 'api.yaml' }), { r: rule })
  expect(ways.toSorted()).toEqual(['200.p', '200.p.b.p', '201.p', '201.p.b.p'])
  expect(findings.map((it) => it.pointer)).toEqual(['/s/A/p', '/s/B/p'])
})

test('where there are more ways than can be followed, the rule is reported', () => {
  const levels = Array.from({ length: 23 }, (_, at) => [
    `L${at}`,
    { a: { $ref: `#/s/L${at + 1}` }, b: { $ref: `#/s/L${at + 1}` } },
  ])
  const value = { s: { ...Object.fromEntries(levels), L23: { end: 1 } } }
  const rule = { given: ['$..end'], then: [{ custom: true as const, run: () => [{ message: 'found' }] }] }
  const { findings, skipped } = lint(parseDocument(JSON.stringify(value), { source: 'api.json' }), { r: rule })
  expect(findings.map((it) => it.pointer)).toEqual(['/s/L23/end'])
  expect(skipped.map((it) => it.code)).toEqual(['r'])
})

test('what counts in the grade is the place, and beside it is the number of findings', () => {
  const text = `${clean}    A: { type: string }\n    B: { type: string }\n    C: { type: string }\n`
  const { rules } = lint(parseDocument(text, { source: 'api.yaml' }), recommended.ruleset)
  expect(rules.filter((it) => it.hits > 0)).toEqual([
    { code: 'oas3-unused-component', severity: 'warning', hits: 1, targets: 1, findings: 3 },
  ])
})
