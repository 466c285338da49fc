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
const rule = (given, fn, more) => ({ given, severity: 'warn', message: '{{error}}', then: { function: fn }, ...more })
export default {
  rules: {
    resolved: rule('$.paths', (input) => say(input['/a'].get.responses[200].content['application/json'].schema)),
    written: rule('$.components.schemas.A', (input) => say(input.properties.n), { resolved: false }),
    graph: rule('$', (_, __, { documentInventory }) =>
      say(Object.entries(documentInventory.graph.nodes).map(([source, { refMap }]) => [source.split('/').at(-1), refMap]))),
    context: rule('$.info', (_, __, { path, rule, document, documentInventory }) =>
      say([path, rule.name, document.parserResult.data === documentInventory.unresolved])),
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
      [
        'skipped-rule',
        'rules.mjs#',
        'The rule "later" was not applied: its function answers later, which rules here cannot wait for.',
      ],
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
