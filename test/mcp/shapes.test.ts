/** The fields of answers that programs beside the hosts of agents rely on, of both servers: none may be renamed or go. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = join(import.meta.dir, '../../cli/main.ts')

const shop = (version: string, limit: string, more = '') => `openapi: 3.1.0
info: { title: Shop, version: ${version} }
paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { ${limit} } }
      responses: { '200': { description: ok } }
${more}components:
  schemas:
    Pet: { type: object, properties: { kind: { type: string, enum: [cat, dog, cat] } } }
`
const older = shop('1.0.0', 'type: integer, maximum: 100')
const newer = shop('1.1.0', 'type: integer, maximum: 50')

let home = ''
let folder = ''
const clients: Client[] = []

async function connect(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  const env = { HOME: home, SVC_WORKSPACE: join(home, 'workspace'), PATH: process.env.PATH ?? '' }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      cwd: folder,
      env,
      stderr: 'ignore',
    }),
  )
  clients.push(client)
  return client
}

/** What a tool answers, which is no refusal. */
async function ask(client: Client, name: string, args: object): Promise<Record<string, unknown>> {
  const answer = await client.callTool({ name, arguments: { ...args } })
  expect([name, args, answer.isError ?? false, answer.content[0]]).toEqual([name, args, false, expect.anything()])
  const text = answer.content[0]?.type === 'text' ? answer.content[0].text : ''
  expect(JSON.parse(text)).toEqual(answer.structuredContent)
  return answer.structuredContent as Record<string, unknown>
}

/** The names of the fields of an answer and of what is within its lists and objects: `findings[].fix.edits[].line`. */
function fieldsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((it) => fieldsOf(it, `${prefix}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, it]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    // What follows is a value of the author, not of an answer.
    return ['witness', 'counterexample'].includes(key) ? [name] : [name, ...fieldsOf(it, name)]
  })
}
const fields = (value: unknown): string[] => [...new Set(fieldsOf(value))].toSorted()

const page = ['next_cursor', 'total', 'truncated']
const finding = (prefix: string) =>
  ['code', 'column', 'fingerprint', 'line', 'message', 'path', 'severity'].map((it) => `${prefix}.${it}`)
const fix = (prefix: string) =>
  [
    'fix',
    ...['description', 'edits', 'visible'].map((it) => `fix.${it}`),
    ...['column', 'end_column', 'end_line', 'line', 'text'].map((it) => `fix.edits[].${it}`),
  ].map((it) => `${prefix}.${it}`)
const change = (prefix: string) =>
  ['classification', 'fingerprint', 'id', 'message', 'operation', 'path', 'severity'].map((it) => `${prefix}.${it}`)
const sorted = (...all: readonly (readonly string[])[]): string[] => all.flat().toSorted()

const linted = sorted(page, ['findings', 'grade', 'guide', 'score'], finding('findings[]'), fix('findings[]'))
const compared = sorted(page, ['breaking', 'changes', 'consumers', 'verdict'], change('changes[]'), [
  'changes[].witness',
])
const edited = sorted(
  ['compared_with', 'diff', 'digest', 'next_version', 'not_accepted', 'verdict', 'written'],
  ['changes', 'consumers', 'gone_findings', 'new_findings'],
  change('changes[]'),
  ['changes[].witness'],
  finding('new_findings[]'),
  fix('new_findings[]'),
)

const twice = { type: 'string', enum: ['small', 'small'] }
const byText = { text: newer }
const byVersion = { spec: 'local/shop', version: '1.1.0' }
const pair = { text: older }

/** Tool, arguments and the exact fields of the answer, of both servers. */
const table: readonly (readonly [string, string, object, readonly string[]])[] = [
  ['lint.check', 'a text', { document: byText }, linted],
  ['lint.check', 'a version', { document: byVersion }, linted],
  ['lint.check', 'the latest version', { document: { spec: 'local/shop' } }, linted],
  [
    'lint.check',
    'a page',
    { document: byText, guide: 'svc:agents', limit: 2 },
    sorted(page, ['findings', 'grade', 'guide', 'score'], finding('findings[]')),
  ],
  ['diff.compare', 'two texts', { base: pair, head: byText }, compared],
  ['diff.compare', 'a version and a text', { base: { spec: 'local/shop', version: '1.0.0' }, head: byText }, compared],
  ['diff.compare', 'two versions', { base: { spec: 'local/shop', version: '1.0.0' }, head: byVersion }, compared],
  [
    'diff.compare',
    'schemas, with a direction',
    {
      base: { text: '{"type":"integer","$schema":"https://json-schema.org/draft/2020-12/schema"}' },
      head: { text: '{"type":"string","$schema":"https://json-schema.org/draft/2020-12/schema"}' },
      direction: 'full',
    },
    compared,
  ],
  ['schema.contains', 'contained', { a: { type: 'integer' }, b: { type: 'number' } }, ['contains']],
  [
    'schema.contains',
    'not contained',
    { a: { type: 'number' }, b: { type: 'integer' }, dialect: '2020-12' },
    ['contains', 'counterexample', 'reason'],
  ],
  [
    'schema.contains',
    'undecided',
    { a: { type: 'string', pattern: '^(a+)\\1$' }, b: { type: 'string', pattern: '^(aa)+$' } },
    ['contains', 'reason'],
  ],
  [
    'schema.contains',
    'schemas of documents',
    { a: { spec: 'local/shop', version: '1.1.0', schema: 'Pet' }, b: { type: 'object' } },
    ['contains'],
  ],
  ['explain', 'a rule', { id: 'info-contact' }, ['id', 'kind', 'text']],
  ['explain', 'an error', { id: 'edit-outdated' }, ['id', 'kind', 'text']],
  ['explain', 'a change', { id: 'request-body-added-required' }, ['id', 'kind', 'text']],
]

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-shapes-'))
  folder = join(home, 'repository')
  mkdirSync(folder)
  writeFileSync(join(folder, 'svc.yaml'), 'apis:\n  shop: { root: shop.yaml }\n')
  writeFileSync(join(folder, 'shop.yaml'), older)
  for (const [name, text] of [
    ['older', older],
    ['newer', newer],
  ] as const) {
    const file = join(home, `${name}.yaml`)
    writeFileSync(file, text)
    const run = Bun.spawnSync([process.execPath, program, 'import', 'openapi', file, '--publish', 'public'], {
      env: { HOME: home, SVC_WORKSPACE: join(home, 'workspace'), PATH: process.env.PATH ?? '' },
      cwd: home,
    })
    expect([run.exitCode, run.stderr.toString()]).toEqual([0, expect.any(String)])
  }
}, 60_000)
afterAll(async () => {
  for (const client of clients) await client.close()
  rmSync(home, { recursive: true, force: true })
})

test.each([
  ['svc mcp', ['mcp']],
  ['svc mcp --design', ['mcp', '--design']],
] as const)(
  '%s answers with these fields',
  async (_, args) => {
    const client = await connect(args)
    const found: unknown[] = []
    for (const [tool, how, given] of table) found.push([tool, how, fields(await ask(client, tool, given))])
    expect(found).toEqual(table.map(([tool, how, , expected]) => [tool, how, expected]))
  },
  120_000,
)

test('edit answers with these fields, and writes nothing that was not accepted', async () => {
  const client = await connect(['mcp', '--design'])
  const edits = [
    { path: '/paths/~1pets/get/parameters/0/schema/maximum', value: 50 },
    { path: '/components/schemas/Pet/properties/size', value: twice },
  ]
  const overlay = {
    overlay: '1.0.0',
    info: { title: 'Narrower', version: '1' },
    actions: [
      { target: '$.components.schemas.Pet.properties', update: { size: twice } },
      { target: '$.paths["/pets"].get.parameters[0].schema', update: { maximum: 50 } },
    ],
  }
  const dry = await ask(client, 'edit', { file: 'shop.yaml', edits })
  expect([fields(dry), dry.written]).toEqual([edited, false])
  expect(fields(await ask(client, 'edit', { file: 'shop.yaml', overlay }))).toEqual(edited)
  const real = { file: 'shop.yaml', edits, dry_run: false, expected_digest: dry.digest }
  const refused = await ask(client, 'edit', real)
  const fingerprints = (refused.changes as { classification: string; fingerprint: string }[])
    .filter(({ classification }) => classification === 'breaking')
    .map((it) => it.fingerprint)
  expect([fields(refused), refused.written, refused.verdict]).toEqual([edited, false, 'breaking'])
  expect(refused.not_accepted).toEqual(fingerprints)
  expect(await Bun.file(join(folder, 'shop.yaml')).text()).toBe(older)
  const done = await ask(client, 'edit', { ...real, accept: fingerprints })
  expect([fields(done), done.written]).toEqual([edited, true])
  const back = [{ path: '/components/schemas/Pet/properties/kind/enum', value: ['cat', 'dog'] }]
  const { gone_findings } = await ask(client, 'edit', { file: 'shop.yaml', edits: back })
  expect(fields({ gone_findings })).toEqual(
    sorted(['gone_findings'], finding('gone_findings[]'), fix('gone_findings[]')),
  )
}, 120_000)
