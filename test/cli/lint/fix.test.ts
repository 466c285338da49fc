/** `svc lint --fix` changes nothing that clients see, unless it is asked to. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitsOf } from '../../../src/language/fix-limits.ts'
import { registry } from '../../../cli/registry.gen.ts'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { applyFixes } from '../../../src/lint/fix/apply.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'
import { runCommand, type Outcome } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-fix-'))
const common = `openapi: 3.0.0
info: { title: Common, version: 1.0.0 }
paths: {}
components: { schemas: { Used: { type: string }, Unused: { type: string } } }
`
const main = `openapi: 3.0.0
info: { title: Main, version: 1.0.0 }
servers: [{ url: 'https://example.org/api/' }]
paths:
  /pets/:
    get:
      tags: [pets]
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { $ref: 'common.yaml#/components/schemas/Used' } } }
`
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
beforeEach(() => {
  writeFileSync(join(folder, 'common.yaml'), common)
  writeFileSync(join(folder, 'main.yaml'), main)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lint = (line: string): Promise<Outcome> =>
  runCommand(['lint', ...line.split(' '), '--fail-on', 'none'], registry, { cwd: folder, env: {} })

test('by itself --fix writes only what the comparison cannot see', async () => {
  await lint('. --fix')
  expect(read('common.yaml')).toBe(common)
  expect(read('main.yaml')).toBe(main.replace('api/', 'api'))
})

test('visible fixes are applied where they are asked for, and never those that break', async () => {
  await lint('main.yaml --fix --fix-non-breaking')
  expect(read('main.yaml')).toBe(
    main.replace('api/', 'api').replace("schemas/Used' } } }\n", "schemas/Used' } } }\n      operationId: getPets\n") +
      'tags:\n  - name: pets\n',
  )
})

test('a file that another file of the run refers to keeps its definitions', async () => {
  await lint('. --fix --fix-removals')
  expect(read('common.yaml')).toBe(common)
  await lint('common.yaml --fix --fix-removals')
  expect(read('common.yaml')).toBe(common.slice(0, common.indexOf('components')))
})

test('a definition that its own file does not use stays as it is: others may use it, which no comparison of the file sees', async () => {
  const swagger = (body: string): string => `swagger: '2.0'
info: { title: Library, version: 1.0.0 }
paths:
  /pets:
    post:
      parameters: [{ name: pet, in: body, schema: { $ref: '#/definitions/Used' } }]
      responses: { '200': { description: ok } }
definitions:
  Used: { type: string, enum: [a, b${body}] }
  Kind: { type: string, enum: [a, b, a] }
  Pet: { type: object, discriminator: kind, properties: { kind: { $ref: '#/definitions/Kind' } } }
`
  writeFileSync(join(folder, 'library.yaml'), swagger(', a'))
  await lint('library.yaml --fix --fix-non-breaking --guide spectral:oas')
  expect(read('library.yaml').split('definitions:')[1]).toStartWith(swagger('').split('definitions:')[1] ?? '')
  const schema =
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"Name":{"type":"string","maxLenght":9}}}'
  writeFileSync(join(folder, 'library.json'), schema)
  await lint('library.json --fix --fix-non-breaking')
  expect(read('library.json')).toBe(schema)
})

test('what breaks a rule of the specification that held is never accepted', async () => {
  const ids = (first: string, second: string): string => `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths:
  /a: { get: { operationId: ${first}, responses: { '200': { description: ok } } } }
  /b: { get: { operationId: ${second}, responses: { '200': { description: ok } } } }
`
  const read = (text: string) => parseDocument(text, { source: 'a.yaml' })
  const { mayBecome } = await limitsOf({}, new Set(), true)
  const becomes = (before: string, after: string) => mayBecome?.(read(before), read(after), 'non-breaking')
  expect(becomes(ids('one', 'two'), ids('one', 'three'))).toBe(true)
  expect(becomes(ids('one', 'two'), ids('one', 'one'))).toBe(false)
  expect(becomes(ids('one', 'two'), ids('one', '[two]'))).toBe(false)
  // What was wrong before may stay so.
  expect(becomes(ids('one', 'one'), ids('one', 'one').replace('title: T', 'title: U'))).toBe(true)
})

test('options for fixes need --fix', async () => {
  for (const option of ['--fix-removals', '--fix-non-breaking', '--dry-run']) {
    const { exit, stderr } = await lint(`main.yaml ${option}`)
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `error: ${option} requires --fix`])
  }
})

test('a symbolic link stays one: what it leads to is written', async () => {
  rmSync(join(folder, 'link.yaml'), { force: true })
  symlinkSync('main.yaml', join(folder, 'link.yaml'))
  await lint('link.yaml --fix')
  expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true)
  expect(read('main.yaml')).toBe(main.replace('api/', 'api'))
  rmSync(join(folder, 'link.yaml'))
})

test('fixes of real documents: the comparison finds nothing, or what was asked for', async () => {
  const root = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((it) => /^3\.[01]\/yaml\/[^/]+\.yaml$/.test(it))
    .toSorted()
  expect(files.length).toBeGreaterThan(40)
  let fixed = 0
  for (const source of files) {
    const text = readFileSync(join(root, source), 'utf8')
    if (text.length > 60_000) continue
    const before = parseDocument(text, { source })
    for (const visible of [[], ['non-breaking'], ['removals']] as const) {
      const after = applyFixes(before, recommended.ruleset, {}, await limitsOf({}, new Set(visible), true))
      const { maxSeverity } = diff(before, parseDocument(after.text, { source }))
      expect([null, 'docs-only', ...(visible.length > 0 ? ['non-breaking'] : [])]).toContain(maxSeverity)
      fixed += after.fixed.length
    }
  }
  expect(fixed).toBeGreaterThan(20)
}, 60_000)

test('what the document suppresses is not fixed, unless suppressions are ignored', async () => {
  const text = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths: {}
servers:
  # svc-ignore oas3-server-trailing-slash -- the gateway needs it
  - url: https://a.example.com/
  - url: https://b.example.com/
`
  const document = parseDocument(text, { source: 'a.yaml' })
  const fixedWith = async (suppresses: boolean): Promise<string[]> => {
    const limits = await limitsOf({}, new Set(), suppresses)
    return applyFixes(document, recommended.ruleset, {}, limits).fixed.map(({ code, pointer }) => `${code} ${pointer}`)
  }
  expect(await fixedWith(true)).toEqual(['oas3-server-trailing-slash /servers/1/url'])
  expect(await fixedWith(false)).toEqual([
    'oas3-server-trailing-slash /servers/0/url',
    'oas3-server-trailing-slash /servers/1/url',
  ])
})
