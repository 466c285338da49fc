/** What functions in JavaScript are given, and what becomes of their answers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-functions-'))
const files: Readonly<Record<string, string>> = {
  'api.yaml': `openapi: 3.0.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }
components:
  schemas:
    A: { properties: { b: { $ref: '#/components/schemas/B' }, n: { $ref: '#/components/schemas/N' }, f: { $ref: 'f.yaml#/F' } } }
    B: { properties: { a: { $ref: '#/components/schemas/A' } } }
    N: { type: string }
`,
  'f.yaml': 'F: { type: object, properties: { x: { $ref: "#/G" } } }\nG: { type: integer }\n',
  'rules.mjs': `
const say = (value) => [{ message: JSON.stringify(value) }]
const named = (displayName) => Object.assign(() => true, { displayName })
const rule = (given, fn, more) => ({ given, severity: 'warn', message: '{{error}}', then: { function: fn }, ...more })
export default {
  rules: {
    resolved: rule('$.paths', (input) => say(input['/a'].get.responses[200].content['application/json'].schema)),
    written: rule('$.components.schemas.A', (input) => say(input.properties.n), { resolved: false }),
    graph: rule('$', (_, __, { documentInventory }) =>
      say(Object.entries(documentInventory.graph.nodes).map(([source, { refMap }]) => [source.split('/').at(-1), refMap]))),
    context: rule('$.info', (_, __, { path, rule, document, documentInventory }) =>
      say([path, rule.name, document.parserResult.data === documentInventory.unresolved])),
    described: rule('$.info', (_, __, { rule: r }) => [{ message: [r.message, r.description, r.severity, r.documentationUrl, r.recommended, r.resolved,
      r.extensions.team, r.given, r.then[0].field, r.formats.has(named('OpenAPI 3.x')), [...r.formats].map((it) => it.displayName),
      r.owner.source.split('/').at(-1), r.getSeverityForSource('api.yaml', ['info'])].join(' ') }],
      { message: undefined, description: undefined, severity: 'hint', documentationUrl: 'https://r.example', extensions: { team: 'x' }, formats: [named('OpenAPI 3.x')] }),
    document: rule('$.info', (_, __, { document: d }) => say([
      d.source.split('/').at(-1), d.source.startsWith('/'), d.input.length, d.diagnostics, d.formats.has(named('OpenAPI 3.x')),
      d.formats.has(named('OpenAPI 2.0 (Swagger)')), d.getRangeForJsonPath(['info', 'title']), d.getRangeForJsonPath(['info', 'x']) === undefined,
      d.parser.parse('a: 1').data, d.trapAccess(d.data) === d.data])),
    inventory: rule('$.info', (_, __, { documentInventory: i }) => say([
      i.source === i.document.source, i.diagnostics, i.errors, Object.values(i.referencedDocuments).map((it) => it.data.G),
      i.resolved.components.schemas.A.properties.n])),
    items: rule('$.info', (_, __, { documentInventory: i }) => say([true, false].map((it) => {
      const { document, path, missingPropertyPath } = i.findAssociatedItemForPath('components.schemas.A.properties.f.type'.split('.'), it)
      return [document.source.split('/').at(-1), path.join('.'), missingPropertyPath.join('.')] }))),
    options: rule('$.info', (_, options) => say([options.match instanceof RegExp, options.n]), { then: {
      function: Object.assign((_, o) => say([o.match instanceof RegExp, o.n]), { validator: () => {} }), functionOptions: { match: /a/, n: 1 } } }),
    noOptions: rule('$.info', (_, options) => say(options)),
    answers: rule('$.paths', async (_, __, { path }) => { await new Promise((done) => setTimeout(done, 5)); return say(['late', path]) }),
    silent: rule('$.paths', async () => undefined),
    set: rule('$.info', () => new Set([{ message: 'of a set' }])),
    pointer: rule('$', () => [{ message: '{{path}}', path: ['paths', '~1a', 'get'] }]),
    wordless: rule('$.info', function wordless(_, __, { rule: r }) { return [{ message: r.nothing }] }),
    text: rule('$.info', () => 'a text'),
    way: rule('$.paths..schema.properties.n', (_, __, { path }) => say(path)),
    place: rule('$.paths', () => [{ message: 'm', path: 'paths./a.get.responses.200.content.application/json.schema.properties.f.properties.x.type'.split('.') }]),
    fails: rule('$.info', function broken() { throw new Error('no items') }),
    later: rule('$.info', async () => { throw new Error('late') }),
  },
}
`,
}

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('functions see what Spectral gives them; one that fails is reported with its rule, and the others go on', async () => {
  const line = ['lint', 'api.yaml', '--guide', 'rules.mjs', '--allow-functions', '--json']
  const { exit, stdout } = await runCommand(line, registry, { cwd: folder, env: {} })
  const { findings } = JSON.parse(stdout) as {
    findings: readonly { code: string; message: string; source: string; pointer: string }[]
  }
  expect(exit).toBe(2)
  const said = findings.map(({ code, message, source, pointer }) => [code, `${source}#${pointer}`, message])
  const schema = '#/components/schemas'
  const inOrder = (all: readonly string[][]) => all.toSorted((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1))
  expect(inOrder(said)).toEqual(
    inOrder([
      ['context', 'api.yaml#/info', JSON.stringify([['info'], 'context', true])],
      [
        'graph',
        'api.yaml#',
        JSON.stringify([
          [
            'api.yaml',
            {
              '#/paths/~1a/get/responses/200/content/application~1json/schema': `${schema}/A`,
              [`${schema}/A/properties/b`]: `${schema}/B`,
              [`${schema}/A/properties/n`]: `${schema}/N`,
              [`${schema}/A/properties/f`]: 'f.yaml#/F',
              [`${schema}/B/properties/a`]: `${schema}/A`,
            },
          ],
          ['f.yaml', { '#/F/properties/x': '#/G' }],
        ]),
      ],
      ['described', 'api.yaml#/info', '3 https://r.example true true x $.info  true OpenAPI 3.x rules.mjs 3'],
      [
        'document',
        'api.yaml#/info',
        JSON.stringify([
          'api.yaml',
          true,
          files['api.yaml']?.length,
          [],
          true,
          false,
          { start: { line: 1, character: 15 }, end: { line: 1, character: 16 } },
          true,
          { a: 1 },
          true,
        ]),
      ],
      ['inventory', 'api.yaml#/info', JSON.stringify([true, [], [], [{ type: 'integer' }], { type: 'string' }])],
      [
        'items',
        'api.yaml#/info',
        JSON.stringify([
          ['f.yaml', 'F.type', 'F.type'],
          ['api.yaml', 'components.schemas.A.properties.f', 'components.schemas.A.properties.f.type'],
        ]),
      ],
      ['options', 'api.yaml#/info', '[true,1]'],
      ['noOptions', 'api.yaml#/info', 'null'],
      ['answers', 'api.yaml#/paths', '["late",["paths"]]'],
      ['set', 'api.yaml#/info', 'of a set'],
      ['pointer', 'api.yaml#/paths/~1a/get', '#/paths/~1a/get'],
      [
        'skipped-rule',
        'rules.mjs#',
        'The rule "wordless" was not applied: the function "wordless" answered a result without a message.',
      ],
      [
        'skipped-rule',
        'rules.mjs#',
        'The rule "text" was not applied: its function answered something else than a list of results.',
      ],
      ['place', 'f.yaml#/G/type', 'm'],
      [
        'resolved',
        'api.yaml#/paths',
        // A and B refer to each other: there the references stay.
        JSON.stringify({
          properties: {
            b: { $ref: `${schema}/B` },
            n: { type: 'string' },
            f: { type: 'object', properties: { x: { type: 'integer' } } },
          },
        }),
      ],
      ['skipped-rule', 'rules.mjs#', 'The rule "fails" was not applied: the function "broken" failed: no items.'],
      ['skipped-rule', 'rules.mjs#', 'The rule "later" was not applied: its function failed: late.'],
      [
        'way',
        'api.yaml#/components/schemas/N',
        JSON.stringify([
          'paths',
          '/a',
          'get',
          'responses',
          '200',
          'content',
          'application/json',
          'schema',
          'properties',
          'n',
        ]),
      ],
      ['written', 'api.yaml#/components/schemas/A', JSON.stringify({ $ref: `${schema}/N` })],
    ]),
  )
})

test('the options of a custom function are checked: by its schema, and by its own check', async () => {
  const own = mkdtempSync(join(folder, 'options-'))
  writeFileSync(join(own, 'api.yaml'), files['api.yaml'] ?? '')
  writeFileSync(join(own, 'f.yaml'), files['f.yaml'] ?? '')
  writeFileSync(join(own, 'has.js'), 'module.exports = (_, { name }) => [{ message: name }]\n')
  writeFileSync(
    join(own, 'strict.js'),
    'module.exports = Object.assign(() => [], { validator: (it) => { if (it !== null) throw new Error("strict takes no options") } })\n',
  )
  const rules = (options: object, strict: object) =>
    JSON.stringify({
      functionsDir: '.',
      functions: [['has', { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }], 'strict'],
      rules: {
        a: { given: '$.info', message: '{{error}}', then: { function: 'has', ...options } },
        b: { given: '$.info', then: { function: 'strict', ...strict } },
      },
    })
  const run = async (options: object, strict: object) => {
    writeFileSync(join(own, 'rules.json'), rules(options, strict))
    const line = ['lint', 'api.yaml', '--guide', 'rules.json', '--allow-functions', '--json']
    const { exit, stdout } = await runCommand(line, registry, { cwd: own, env: {} })
    const { findings = [], error } = JSON.parse(stdout) as {
      findings?: readonly { code: string; message: string }[]
      error?: { message: string }
    }
    return [exit, ...findings.map((it) => `${it.code} ${it.message}`), error?.message.replaceAll(/\d+:\d+/g, 'N')]
  }
  expect(await run({ functionOptions: { name: 'x' } }, {})).toEqual([0, 'a x', undefined])
  expect(await run({ functionOptions: { name: 1 } }, { functionOptions: {} })).toEqual([
    2,
    expect.stringContaining(
      'rules.json:N: The function "has" has invalid options at "name": must be string.\nrules.json:N: strict takes no options',
    ) as unknown as string,
  ])
})
