/** Documents of several files, from every kind of side: what changed is shown in the file in which it was written. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import breaking from '../../../commands/breaking.ts'
import diff from '../../../commands/diff.ts'
import type { Change } from '../../../src/diff/change.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const registry = registryOf({ diff, breaking })

const entry = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders: { $ref: ./paths/orders.yaml }
`
const orders = `get:
  parameters:
    - { $ref: "../common/limit.json#/limit" }
  responses:
    "200":
      description: all
      content:
        application/json:
          schema: { $ref: "../common/order.yaml" }
`
const order = (type: string): string => `# What one orders
type: object
required: [id]
properties:
  id: { type: string }
  total:
    type: ${type}
`
const limit = (most: number): string =>
  JSON.stringify({ limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: most } } }, null, 2)

const older: Readonly<Record<string, string>> = {
  'openapi.yaml': entry,
  'paths/orders.yaml': orders,
  'common/order.yaml': order('integer'),
  'common/limit.json': limit(100),
}
const newer: Readonly<Record<string, string>> = {
  ...older,
  'common/order.yaml': order('string'),
  'common/limit.json': limit(50),
}

let cwd = ''
const write = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, folder, name)), { recursive: true })
    await Bun.write(join(cwd, folder, name), content)
  }
}
const git = (...args: string[]): void => {
  const made = Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd })
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
}
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-files-'))
  git('init', '-q', '-b', 'main')
  await write('api', older)
  git('add', '.')
  git('commit', '-qm', 'older')
  git('branch', 'feature/orders')
  await write('api', newer)
  await write('old', older)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (...argv: string[]) => runCommand(argv, registry, { cwd })

const places = async (...argv: string[]): Promise<unknown[]> => {
  const { stdout } = await run('diff', ...argv, '--format', 'json')
  const { changes } = JSON.parse(stdout) as { changes: readonly Change[] }
  return changes.map((change) => [
    change.id,
    ...[change.base, change.head].map((side) => {
      if (side === null) return null
      const { line = -1, character = -1 } = side.range?.start ?? {}
      return `${side.source}:${line + 1}:${character + 1} ${side.pointer}`
    }),
  ])
}

const expected = (base: string, head: string): unknown[] => [
  [
    'schema-maximum-decreased',
    `${base}common/limit.json:7:18 /limit/schema/maximum`,
    `${head}common/limit.json:7:18 /limit/schema/maximum`,
  ],
  [
    'schema-type-changed',
    `${base}common/order.yaml:7:11 /properties/total/type`,
    `${head}common/order.yaml:7:11 /properties/total/type`,
  ],
]

describe('places in the files of', () => {
  test('folders', async () => {
    expect(await places('old/openapi.yaml', 'api/openapi.yaml')).toEqual(expected('old/', 'api/'))
    const absolute = join(cwd, 'old/openapi.yaml')
    expect(await places(absolute, 'api/openapi.yaml')).toEqual(expected(`${cwd}/old/`, 'api/'))
  })

  test('revisions of git, also with slashes in their names', async () => {
    expect(await places('main:api/openapi.yaml', 'api/openapi.yaml')).toEqual(expected('main:api/', 'api/'))
    expect(await places('feature/orders:./api/openapi.yaml', 'api/openapi.yaml')).toEqual(
      expected('feature/orders:api/', 'api/'),
    )
  })

  test('addresses', async () => {
    const asked: string[] = []
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const path = new URL(request.url).pathname.slice(1)
        asked.push(path)
        return path in older ? new Response(older[path]) : new Response('', { status: 404 })
      },
    })
    try {
      const origin = `http://127.0.0.1:${server.port}/`
      expect(await places(`${origin}openapi.yaml`, 'api/openapi.yaml')).toEqual(expected(origin, 'api/'))
      expect(asked.sort()).toEqual(Object.keys(older).sort())
    } finally {
      await server.stop(true)
    }
  })

  test('standard input, whose references are those of the current folder', async () => {
    const there = await runCommand(['diff', '../old/openapi.yaml', '-', '--format', 'json'], registry, {
      cwd: join(cwd, 'api'),
      stdin: entry,
    })
    const { changes } = JSON.parse(there.stdout) as { changes: readonly Change[] }
    expect(changes.map(({ base, head }) => [base?.source, head?.source])).toEqual([
      ['../old/common/limit.json', 'common/limit.json'],
      ['../old/common/order.yaml', 'common/order.yaml'],
    ])
  })
})

test('a document of several files and its twin of one are the same', async () => {
  const whole = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { '/orders': Bun.YAML.parse(orders) as Record<string, unknown> },
  }
  const get = whole.paths['/orders'].get as Record<string, unknown>
  get.parameters = [(JSON.parse(limit(100)) as { limit: unknown }).limit]
  get.responses = {
    '200': { description: 'all', content: { 'application/json': { schema: Bun.YAML.parse(order('integer')) } } },
  }
  await write('.', { 'whole.json': JSON.stringify(whole) })
  const { stdout } = await run('diff', 'old/openapi.yaml', 'whole.json')
  expect(stdout).toBe('Nothing changed: old/openapi.yaml → whole.json\nNo differences found.\n')
})

test('a reference to a file that is not there is refused with its place', async () => {
  await write('broken', { ...newer, 'common/order.yaml': 'properties: { id: { $ref: ./absent.yaml } }\n' })
  const { exit, stderr } = await run('diff', 'old/openapi.yaml', 'broken/openapi.yaml')
  expect(exit).toBe(6)
  expect(stderr).toContain('broken/common/order.yaml:1:27 refers to "./absent.yaml"')
  expect(stderr).toContain('There is no file "broken/common/absent.yaml"')
})

describe('what git does not have is refused with the next step', () => {
  const told = async (base: string, folder = ''): Promise<string> => {
    const { exit, stderr } = await runCommand(['diff', base, 'openapi.yaml'], registry, {
      cwd: join(cwd, 'api', folder),
    })
    expect(exit).toBe(2)
    return stderr
  }

  test('a revision', async () => {
    expect(await told('mian:api/openapi.yaml')).toContain('no branch, tag or commit "mian"; did you mean main?')
    expect(await told('v9:api/openapi.yaml')).toContain('no branch, tag or commit "v9"')
    expect(await told('--output=x:openapi.yaml')).toContain('Unknown option --output')
  })

  test('a file', async () => {
    expect(await told('main:openapi.yaml')).toContain('write main:api/openapi.yaml or main:./openapi.yaml')
    expect(await told('main:api/openapi.yml')).toContain('did you mean main:api/openapi.yaml?')
    expect(await told('main:api')).toContain('main:api is a folder or an archive, and openapi.yaml is not')
    expect(await told('main:apis')).toContain('main has no file "apis"')
    expect(await told('main:../../x')).toContain('points outside the repository')
  })

  test('a file that was moved', async () => {
    git('mv', 'api/common/order.yaml', 'api/common/moved.yaml')
    expect(await told('main:api/common/moved.yaml')).toContain(
      'there it is called api/common/order.yaml; write main:api/common/order.yaml',
    )
    git('mv', 'api/common/moved.yaml', 'api/common/order.yaml')
  })

  test('a repository', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'svc-no-git-'))
    const { exit, stderr } = await runCommand(['diff', 'main:a.yaml', 'b.yaml'], registry, { cwd: outside })
    expect([exit, stderr.includes('the current folder is not in a git repository')]).toEqual([2, true])
    rmSync(outside, { recursive: true })
  })

  test('a drive of Windows is no revision', async () => {
    expect(await told('C:\\specs\\openapi.yaml')).toContain('There is no file "C:\\specs\\openapi.yaml"')
    expect(await told('ftp://example.com/openapi.yaml')).toContain('addresses begin with http:// or https://')
  })
})

test('the index is a side as well', async () => {
  expect((await run('breaking', 'main:api/openapi.yaml', ':api/openapi.yaml')).exit).toBe(0)
  git('add', 'api')
  expect((await run('breaking', 'main:api/openapi.yaml', ':api/openapi.yaml')).exit).toBe(4)
})

test('a new document has nothing to break, where that is allowed', async () => {
  await write('new', { 'openapi.yaml': entry.replace('./paths', '../api/paths') })
  const missing = await run('breaking', 'main:new/openapi.yaml', 'new/openapi.yaml')
  expect([missing.exit, missing.stderr.includes('--allow-missing-base')]).toEqual([2, true])
  const allowed = await run('breaking', 'main:new/openapi.yaml', 'new/openapi.yaml', '--allow-missing-base')
  expect(allowed.exit).toBe(0)
  expect(allowed.stdout).toContain('GET /orders was added')
  expect(allowed.stderr).toContain('main:new/openapi.yaml does not exist')
  // A revision that does not exist is said, as a file and a project are.
  const revision = await run('breaking', 'v0:new/openapi.yaml', 'new/openapi.yaml', '--allow-missing-base')
  expect([revision.exit, revision.stderr.includes('v0:new/openapi.yaml does not exist')]).toEqual([0, true])
})
