/** Comparisons with stored versions and registered consumers: the same on a workspace, on a server, and by its REST interface. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/open.ts'
import { createService, type Service } from '../../../server/app.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import type { Change } from '../../../src/diff/change.ts'
import { addApiKey } from '../../fixtures/accounts.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const top = mkdtempSync(join(tmpdir(), 'svc-stored-'))
const near = { SVC_WORKSPACE: join(top, 'near') }
const far: Record<string, string> = {}
let db: Database
let service: Service
let tenantId: string
let server: Bun.Server<undefined>

const specification = (version: string, most: number, tag: string, owners: object): string =>
  JSON.stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Pets', version },
      paths: {
        '/pets': {
          get: {
            operationId: 'listPets',
            parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: most } }],
            responses: {
              '200': {
                description: 'all',
                content: {
                  'application/json': {
                    schema: { type: 'object', properties: { id: { type: 'string' }, tag: { type: tag } } },
                  },
                },
              },
            },
          },
        },
        ...owners,
      },
    },
    null,
    2,
  )
const owners = { '/owners': { get: { operationId: 'listOwners', responses: { '200': { description: 'all' } } } } }
const newer = specification('2.0.0', 50, 'integer', {})

const setUp = [
  'import openapi one.json --publish public',
  'import openapi two.json',
  'project create Empty',
  'consumer create pets Shop',
  'consumer create pets Tagger',
  'consumer create pets Silent',
  'consumer declare pets shop shop.json',
  'consumer declare pets tagger tagger.json',
]

const run = (env: Readonly<Record<string, string>>, line: string) =>
  runCommand(line.split(' '), registry, { env, cwd: top })

beforeAll(async () => {
  const use = (response: string[], parameters: string[]) =>
    JSON.stringify({ operations: [{ method: 'GET', path: '/pets', parameters, responses: { 200: response } }] })
  writeFileSync(join(top, 'one.json'), specification('1.0.0', 100, 'string', owners))
  writeFileSync(join(top, 'two.json'), newer)
  writeFileSync(join(top, 'shop.json'), use(['id'], ['limit']))
  writeFileSync(join(top, 'tagger.json'), use(['tag'], []))
  db = await openDatabase({ kind: 'sqlite', path: join(top, 'far', 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  service = createService({
    db,
    publicUrl: () => '',
    egressAllow: [],
    onFault: (fault) => {
      throw fault
    },
  })
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => service.handle(request) })
  far.SVC_BASE_URL = server.url.origin
  far.SVC_API_KEY = await addApiKey(db, local.tenantId)
  tenantId = local.tenantId
  for (const env of [near, far])
    for (const line of setUp) {
      const { exit, stderr } = await run(env, line)
      if (exit !== 0) throw new Error(`${line}: ${stderr}`)
    }
}, 60_000)
afterAll(async () => {
  await server.stop(true)
  await service.stop()
  await db.close()
  rmSync(top, { recursive: true, force: true })
})

describe.each([
  ['the workspace', near],
  ['a server', far],
])('of %s', (_, env) => {
  test('the sides are versions by label, slug or "latest", and files', async () => {
    for (const base of ['pets@1.0.0', 'pets@latest'])
      for (const head of ['pets@2.0.0', 'two.json']) {
        const { exit, stdout } = await run(env, `breaking ${base} ${head}`)
        expect({ base, head, exit }).toEqual({ base, head, exit: 4 })
        expect(stdout).toStartWith(`3 breaking changes: pets@1.0.0 → ${head}\n`)
      }
    expect((await run(env, 'breaking pets@1.0.0 one.json')).exit).toBe(0)
    expect((await run(env, 'breaking two.json pets@2.0.0')).exit).toBe(0)
  })

  test('places are those of the text that the author wrote', async () => {
    const { stdout } = await run(env, 'diff pets@1.0.0 two.json --format json')
    const { changes } = JSON.parse(stdout) as { changes: readonly Change[] }
    const maximum = changes.find((it) => it.id === 'schema-maximum-decreased')
    expect([maximum?.base?.range?.start, maximum?.head?.range?.start]).toEqual([
      { line: 16, character: 25 },
      { line: 16, character: 25 },
    ])
  })

  test('an unknown project or version is refused with a suggestion', async () => {
    for (const [side, said] of [
      ['pets@1.0', 'has no version "1.0"; did you mean pets@1.0.0?'],
      ['pest@1.0.0', 'no project "pest"; did you mean pets@1.0.0?'],
      ['unheard@1.0.0', 'There is no project "unheard"'],
      ['pets.json', 'There is no file "pets.json"'],
    ] as const) {
      const { exit, stderr } = await run(env, `diff ${side} two.json`)
      expect({ side, exit }).toEqual({ side, exit: 2 })
      expect(stderr).toContain(said)
    }
    const first = await run(env, 'breaking empty@latest two.json --allow-missing-base')
    expect([first.exit, first.stdout.includes('GET /pets was added')]).toEqual([0, true])
  })

  test('a change names the registered consumers that use what it touches', async () => {
    const { stdout } = await run(env, 'diff one.json two.json --consumers pets --format json')
    const { changes, summary } = JSON.parse(stdout) as {
      changes: readonly Change[]
      summary: { consumers: readonly { handle: string; status: string }[] }
    }
    expect(changes.filter((it) => it.severity === 'breaking').map((it) => [it.id, it.consumers])).toEqual([
      ['operation-removed', []],
      ['schema-maximum-decreased', ['shop']],
      ['schema-type-changed', ['tagger']],
    ])
    expect(summary.consumers.map((it) => [it.handle, it.status])).toEqual([
      ['shop', 'broken'],
      ['tagger', 'broken'],
    ])
    const unheard = await run(env, 'diff one.json two.json --consumers pest')
    expect([unheard.exit, unheard.stderr.includes('did you mean pets?')]).toEqual([2, true])
  })
})

test('a key that may only compare is enough, for a stored head and for a file', async () => {
  const narrow = { ...far, SVC_API_KEY: await addApiKey(db, tenantId, { scopes: ['diff:read'] }) }
  const lines = [
    'diff pets@1.0.0 pets@2.0.0',
    'diff pets@latest two.json --format md',
    'breaking pets@1.0.0 two.json --tag x --format json',
    'breaking pets@1.0.0 two.json --operation listPets --report sarif=out.sarif',
    'diff pets@1.0.0 two.json --profile lenient --severity operation-removed=docs-only --format json',
    'breaking pets@1.0.0 two.json --check-version --format json',
    'diff pets@1.0.0 two.json --exit-code',
    'diff pets@3.0.0 two.json',
    'diff pets@1.0.0 two.json --as-of 2026-02-31',
  ]
  for (const line of lines) {
    const [here, there] = [await run(near, line), await run({ ...narrow, SVC_TENANT: 'local' }, line)]
    expect({ line, exit: there.exit, stdout: there.stdout }).toEqual({ line, exit: here.exit, stdout: here.stdout })
  }
  const exits = []
  for (const line of lines) exits.push((await run(near, line)).exit)
  expect(exits).toEqual([0, 0, 2, 4, 0, 4, 13, 2, 2])
  const untold = await run(narrow, 'diff pets@1.0.0 two.json')
  expect([untold.exit, untold.stderr.includes('Name it with --tenant or SVC_TENANT')]).toEqual([2, true])
  const consumers = await run({ ...narrow, SVC_TENANT: 'local' }, 'diff pets@1.0.0 two.json --consumers pets')
  expect([consumers.exit, consumers.stderr.includes('permission')]).toEqual([2, true])
})

test('the command line and the service say the same bytes, of stored and inline heads', async () => {
  const ask = async (head: unknown, accept: string): Promise<string> => {
    const response = await fetch(`${server.url.origin}/v1/diff/local/classified`, {
      method: 'POST',
      headers: { accept, 'x-api-key': far.SVC_API_KEY!, 'content-type': 'application/json' },
      body: JSON.stringify({ base: { project: 'pets', version: '1.0.0' }, head, consumers: true }),
    })
    expect(response.status).toBe(200)
    return response.text()
  }
  const heads = [
    ['pets@2.0.0', { project: 'pets', version: '2.0.0' }],
    ['two.json', { inline: newer, name: 'two.json' }],
  ] as const
  const answers: unknown[] = []
  for (const [side, head] of heads) {
    const line = `diff pets@1.0.0 ${side} --consumers pets --format`
    const [here, there] = [await run(near, `${line} md`), await run(far, `${line} md`)]
    expect(here.stdout).toContain('2 of 2 consumers would break.')
    expect(there.stdout).toBe(here.stdout)
    expect(await ask(head, 'text/markdown')).toBe(here.stdout)
    const { changes } = JSON.parse((await run(near, `${line} json`)).stdout) as { changes: unknown }
    const answer = JSON.parse(await ask(head, 'application/json')) as { changes: unknown }
    expect(answer.changes).toEqual(changes)
    answers.push(answer.changes)
  }
  expect(answers[0]).toEqual(answers[1])
})

describe('a head of more than 10 MB', () => {
  const large = JSON.stringify({ ...(JSON.parse(newer) as object), 'x-large': 'x'.repeat(10_000_000) })
  beforeAll(() => writeFileSync(join(top, 'large.json'), large))

  test('is compared here, with a warning that says so, as the service would compare it', async () => {
    const line = (head: string) => `diff pets@1.0.0 ${head} --consumers pets --format`
    const { exit, stdout, stderr } = await run(far, `${line('large.json')} json`)
    expect(exit).toBe(0)
    expect(stderr).toContain('large.json has more than 10 MB, the most that the service compares: it is compared here')
    const told = (text: string) => {
      const { changes } = JSON.parse(text) as { changes: Change[] }
      // What makes it large is an extension.
      const api = changes.filter((change) => !change.head?.pointer.startsWith('/x-large'))
      return api.map((change) => [change.id, change.classification, change.consumers])
    }
    expect(told(stdout)).toEqual(told((await run(far, `${line('two.json')} json`)).stdout))
    expect((await run(far, `${line('large.json')} md`)).stdout).toContain('2 of 2 consumers would break.')
  })

  test('needs a key that may read the base', async () => {
    const key = await addApiKey(db, tenantId, { scopes: ['diff:read'] })
    const { exit, stderr } = await run({ ...far, SVC_API_KEY: key, SVC_TENANT: 'local' }, 'diff pets@1.0.0 large.json')
    expect(exit).toBe(2)
    expect(stderr).toContain('which needs the right to read it')
    expect(stderr).toContain('scope-denied')
  })
})
