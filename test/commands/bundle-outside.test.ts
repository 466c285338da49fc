/** Files that `svc bundle` finds by something else than a reference: values of examples, and operations of links. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-outside-'))
afterAll(() => rmSync(folder, { recursive: true }))

const files: Readonly<Record<string, string | Uint8Array>> = {
  'api/openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /users: { $ref: paths/users.yaml }
  /cats:
    get:
      responses:
        '200': { $ref: shared.yaml#/responses/Cats }
`,
  'api/paths/users.yaml': `get:
  responses:
    '200':
      description: ok
      links:
        self: { operationRef: users.yaml#/get }
        cats: { operationRef: ../openapi.yaml#/paths/~1cats/get }
`,
  'api/shared.yaml': `responses:
  Cats:
    description: ok
    content:
      application/json:
        examples:
          tom: { summary: Tom, externalValue: examples/tom.json }
          tomcat: { $ref: '#/examples/Tomcat' }
      text/plain:
        examples:
          note: { externalValue: examples/note.txt }
          lines: { externalValue: examples/lines.jsonl }
          web: { externalValue: https://example.com/cat.txt }
    links:
      users: { operationRef: openapi.yaml#/paths/~1users/get }
      web: { operationRef: https://example.com/api.yaml#/paths/~1a/get }
examples:
  Tomcat: { externalValue: examples/tom.json }
`,
  'api/examples/tom.json': '{ "id": 12345678901234567890, "weight": 4.50 }\n',
  'api/examples/note.txt': 'a note\n',
  'api/examples/lines.jsonl': '{"a":1}\n{"a":2}\n',
  'api/examples/cat.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]),
  'api/other.yaml':
    'openapi: 3.1.0\ninfo: { title: O, version: "1" }\npaths: { /o: { get: { responses: { "200": { description: ok } } } } }\n',
  'api/open.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '200':
          description: ok
          content:
            image/png:
              examples:
                cat: { externalValue: examples/cat.png }
                dog: { externalValue: examples/dog.png }
          links:
            other: { operationRef: other.yaml#/paths/~1o/get }
`,
}

beforeAll(() => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
})

const run = (line: string) =>
  runCommand(line.split(' '), registry, { cwd: folder, env: { SVC_WORKSPACE: join(folder, 'w') } })

test('values of examples are written in their place, and links name the operation where it is in the bundle', async () => {
  const { exit, stdout } = await run('bundle api/openapi.yaml --format json')
  const tom = '{"id":12345678901234567890,"weight":4.5}'
  expect([exit, stdout.replaceAll(/\s+/g, '').includes(`"tom":{"summary":"Tom","value":${tom}}`)]).toEqual([0, true])
  const { paths, components } = JSON.parse(stdout) as { readonly paths: object; readonly components: object }
  const value = JSON.parse(tom) as object
  expect(paths).toEqual({
    '/users': {
      get: {
        responses: {
          '200': {
            description: 'ok',
            links: {
              self: { operationRef: '#/paths/~1users/get' },
              cats: { operationRef: '#/paths/~1cats/get' },
            },
          },
        },
      },
    },
    '/cats': { get: { responses: { '200': { $ref: '#/components/responses/Cats' } } } },
  })
  expect(components).toEqual({
    examples: { Tomcat: { value } },
    responses: {
      Cats: {
        description: 'ok',
        content: {
          'application/json': {
            examples: { tom: { summary: 'Tom', value }, tomcat: { $ref: '#/components/examples/Tomcat' } },
          },
          'text/plain': {
            examples: {
              note: { value: 'a note\n' },
              lines: { value: '{"a":1}\n{"a":2}\n' },
              web: { externalValue: 'https://example.com/cat.txt' },
            },
          },
        },
        links: {
          users: { operationRef: '#/paths/~1users/get' },
          web: { operationRef: 'https://example.com/api.yaml#/paths/~1a/get' },
        },
      },
    },
  })
})

test('the source and its bundle do not differ', async () => {
  expect((await run('bundle api/openapi.yaml -o bundle.yaml')).exit).toBe(0)
  expect(await run('diff api/openapi.yaml bundle.yaml')).toMatchObject({
    exit: 0,
    stdout: 'Nothing changed: api/openapi.yaml → bundle.yaml\nNo differences found.\n',
  })
  expect((await run('bundle bundle.yaml -o again.yaml')).exit).toBe(0)
})

test('what cannot be included is an error with its place, unless it is allowed', async () => {
  const { exit, stderr } = await run('bundle api/open.yaml')
  expect([exit, stderr.split('\n')[0]]).toEqual([
    6,
    'error: The bundle would still refer to other files: api/open.yaml:12:39: externalValue "examples/cat.png" leads out of the document and cannot be read; api/open.yaml:13:39: externalValue "examples/dog.png" leads out of the document and cannot be read; api/open.yaml:15:36: operationRef "other.yaml#/paths/~1o/get" leads out of the document and is no operation of this description.',
  ])
  const kept = await run('bundle api/open.yaml --allow-external --format json')
  expect([kept.exit, kept.stderr.startsWith('warning: Kept references that cannot be included: ')]).toEqual([0, true])
  expect(kept.stdout.match(/"(?:examples|other)[^"]*"(?=\s*\})/g)).toEqual([
    '"examples/cat.png"',
    '"examples/dog.png"',
    '"other.yaml#/paths/~1o/get"',
  ])
  expect((await run('diff api/open.yaml api/open.yaml')).exit).toBe(0)
  expect((await run('lint api/open.yaml --guide spectral:oas --fail-on error')).exit).toBe(0)
})
