/** `svc bundle` over the network, and compared with another bundler. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundle as redoclyBundle, createConfig } from '@redocly/openapi-core'
import { registry } from '../../cli/registry.gen.ts'
import type { Json } from '../../src/kernel/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { diff } from '../../src/diff/diff.ts'
import { runCommand, type Outcome } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-bundle-'))

/** Trees of files by name; the first file of each is the entry. */
const trees: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'one name in two files': {
    'api.yaml': `openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /a: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: a/item.yaml } } } } } } }
  /b: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: b/item.yaml } } } } } } }
`,
    'a/item.yaml': 'type: object\nproperties: { parent: { $ref: item.yaml } }\n',
    'b/item.yaml': 'type: array\nitems: { $ref: ../a/item.yaml }\n',
  },
  'parameters, responses, headers and examples of one file': {
    'api.yaml': `openapi: 3.0.3
info: { title: A, version: '1' }
paths:
  /a:
    get:
      parameters: [{ $ref: 'all.yaml#/parameters/Limit' }]
      responses: { '200': { $ref: 'all.yaml#/responses/Ok' } }
`,
    'all.yaml': `parameters: { Limit: { name: limit, in: query, schema: { $ref: '#/schemas/Count' } } }
schemas: { Count: { type: integer, minimum: 0 } }
headers: { Total: { schema: { $ref: '#/schemas/Count' } } }
responses:
  Ok:
    description: ok
    headers: { Total: { $ref: '#/headers/Total' } }
    content: { text/plain: { schema: { type: string }, examples: { one: { $ref: '#/examples/One' } } } }
examples: { One: { value: one } }
`,
  },
  'Swagger 2.0 with a path in another file': {
    'api.yaml': `swagger: '2.0'
info: { title: A, version: '1' }
paths: { /a: { $ref: 'paths/a.yaml' } }
`,
    'paths/a.yaml': `get: { responses: { '200': { description: ok, schema: { $ref: '../definitions.yaml#/Pet' } } } }\n`,
    'definitions.yaml': `Pet: { type: object, required: [name], properties: { name: { type: string } } }\n`,
  },
}

const dirOf = (tree: string): string => join(folder, tree.replaceAll(/[^a-z]+/gi, '-'))
const shared: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(trees['one name in two files'] ?? {}).map(([path, text]) => [`/${path}`, text]),
)
let server: Bun.Server<undefined>

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const text = shared[new URL(url).pathname]
      return text === undefined ? new Response('no', { status: 404 }) : new Response(text)
    },
  })
  for (const [tree, files] of Object.entries(trees))
    for (const [path, text] of Object.entries(files)) {
      const target = join(dirOf(tree), path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text)
    }
})
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const svc = (line: string, stdin?: string): Promise<Outcome> =>
  runCommand(line.replaceAll('URL', server.url.href.replace(/\/$/, '')).split(' '), registry, {
    cwd: folder,
    ...(stdin === undefined ? {} : { stdin }),
  })

const read = (value: Json | string, source: string) =>
  parseDocument(typeof value === 'string' ? value : JSON.stringify(value), { source })

describe('means what another bundler makes', () => {
  for (const tree of Object.keys(trees))
    test(tree, async () => {
      const entry = join(dirOf(tree), 'api.yaml')
      const { exit, stdout, stderr } = await svc(`bundle ${dirOf(tree).slice(folder.length + 1)}/api.yaml`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      const theirs = await redoclyBundle({ ref: entry, config: await createConfig({}) })
      const compared = diff(read(theirs.bundle.parsed as Json, 'theirs.json'), read(stdout, 'ours.yaml'))
      // Of two that would like one name the other bundler lets the first have it, which depends on the order of the files.
      expect(compared.changes.filter(({ id }) => !id.startsWith('schema-component-'))).toEqual([])
      // A bundle is one file, which is given back as it is.
      writeFileSync(join(folder, 'again.yaml'), stdout)
      expect((await svc('bundle again.yaml')).stdout).toBe(stdout)
    })
})

test('reads a tree at an address, and standard input with an address as its base', async () => {
  const { stdout, exit } = await svc('bundle URL/api.yaml')
  expect(exit).toBe(0)
  const schemas = (read(stdout, 'a.yaml').value as { components: { schemas: Json } }).components.schemas
  expect(schemas).toEqual({
    a_item: { type: 'object', properties: { parent: { $ref: '#/components/schemas/a_item' } } },
    b_item: { type: 'array', items: { $ref: '#/components/schemas/a_item' } },
  })
  expect((await svc('bundle - --base URL/api.yaml', shared['/api.yaml'])).stdout).toBe(stdout)
})

test('refuses addresses of private networks and references that lead there', async () => {
  expect((await svc('bundle http://10.0.0.1/api.yaml')).exit).toBe(2)
  const text = 'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: { /a: { $ref: "http://10.0.0.1/a.yaml" } }\n'
  const { exit, stderr, stdout } = await svc('bundle - --base URL/api.yaml', text)
  expect({ exit, stdout }).toEqual({ exit: 6, stdout: '' })
  expect(stderr).toContain('-:3:22 refers to "http://10.0.0.1/a.yaml": http://10.0.0.1/a.yaml was not requested')
  const listed = await svc('bundle - --base URL/api.yaml --allow-hosts 10.0.0.1', text)
  expect(listed.stderr).toContain('-:3:22 refers to "http://10.0.0.1/a.yaml": Cannot fetch http://10.0.0.1/a.yaml')
})

test('--json says what was read and written; --format json prints the document', async () => {
  writeFileSync(join(folder, 'plain.yaml'), 'type: object # one\nenum: []\n')
  const made = JSON.parse((await svc('bundle plain.yaml --json --format json')).stdout) as { data: Json }
  expect(made.data).toEqual({
    format: { kind: 'json-schema', version: '2020-12' },
    syntax: 'json',
    files: ['plain.yaml'],
    output: null,
    cycles: [],
    identified: [],
    discriminated: [],
    document: { type: 'object', enum: [] },
  })
  expect((await svc('bundle plain.yaml --format json')).stdout).toBe('{\n  "type": "object",\n  "enum": []\n}\n')
})
