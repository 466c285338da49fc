/** Processes with different roles on one database: what one takes on another does, and each answers what it is for. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failingForMs } from '../../server/loop/door.ts'
import { runLoop } from '../../server/loop/loop.ts'
import { createLogger } from '../../server/operations/log.ts'
import { serve, type Server } from '../../server/serve.ts'
import { parseRoles, type Role } from '../../server/settings/roles.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { goodPassword } from '../fixtures/identity-service.ts'

const document = `openapi: 3.1.0
info: { title: Tickets, version: 1.0.0 }
paths: { /tickets: { get: { responses: { '200': { description: ok } } } } }
`

onBothEngines('roles of processes', (makeDb) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-roles-'))
  const started: Server[] = []
  let start: (role: Role) => Promise<Server> = () => Promise.reject(new Error('not ready'))
  let web: Server
  let worker: Server
  let gateway: Server

  beforeAll(async () => {
    const database = await makeDb.makeTarget()
    start = async (role) => {
      const server = await serve({
        database,
        roles: new Set([role]),
        host: '127.0.0.1',
        port: 0,
        publicUrl: null,
        egressAllow: [],
        logger: createLogger({ level: 'error', write: () => {} }),
        environment: {},
        version: '0.0.0',
        setupFile: join(folder, role),
        sample: false,
      })
      started.push(server)
      return server
    }
    web = await start('web')
    gateway = await start('gateway')
  })
  afterAll(async () => {
    await Promise.all(started.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  const statusOf = async (server: Server, path: string) => {
    const answer = await fetch(server.url + path)
    const body = (answer.headers.get('content-type') ?? '').includes('json') ? await answer.json() : null
    return [answer.status, (body as { detail?: { code?: string } } | null)?.detail?.code ?? null]
  }

  test('what the web takes on waits until there is a worker, which ends it', async () => {
    const token = new URL(readFileSync(join(folder, 'web'), 'utf8').trim()).hash.replace('#token=', '')
    const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const answer = await fetch(web.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as Record<string, string>
    }
    const person = { email: 'ann@example.com', password: goodPassword }
    await ask('/_app/claim', { ...person, name: 'Ann', token })
    const { access_token: access } = await ask('/v1/auth/login', person)
    const as = { authorization: `Bearer ${access}` }
    const source = { kind: 'inline', name: 'a.yaml', content: document }
    const { job_id: id } = await ask('/v1/tenants/local/imports', { source }, as)
    expect((await ask(`/v1/imports/${id}?wait=1`, undefined, as))['status']).toBe('queued')
    worker = await start('worker')
    const ended = await ask(`/v1/imports/${id}?wait=20`, undefined, as)
    expect(ended['status']).toMatch(/^completed/)
  })

  test('each answers what it is for, and says where the rest is', async () => {
    const paths = [
      '/healthz',
      '/readyz',
      '/v1/tenants/me',
      '/v1/openapi.json',
      '/app/',
      '/mcp',
      '/v1/slate/enforcers/self/nothing',
    ]
    const answered = async (server: Server) => {
      const found: Record<string, unknown> = {}
      for (const path of paths) found[path] = await statusOf(server, path)
      return found
    }
    const elsewhere = [404, 'not-served-here']
    const none = Object.fromEntries(paths.slice(2).map((path) => [path, elsewhere]))
    const live = { '/healthz': [200, null], '/readyz': [200, null] }
    expect(await answered(worker)).toEqual({ ...live, ...none })
    expect(await answered(gateway)).toEqual({ ...live, ...none })
    expect(await statusOf(gateway, '/v1/slate/enforcers/self/bundle')).toEqual([401, 'credentials-missing'])
    expect(await statusOf(worker, '/v1/slate/enforcers/self/bundle')).toEqual(elsewhere)
    expect((await statusOf(web, '/v1/tenants/me'))[0]).toBe(401)
  })

  test('readiness speaks of jobs where a process works at them', async () => {
    const checksOf = async ({ url }: Server) =>
      ((await (await fetch(`${url}/readyz`)).json()) as { checks: unknown }).checks
    expect(await checksOf(web)).toEqual({ database: 'ok' })
    expect(await checksOf(worker)).toEqual({ database: 'ok', jobs: 'ok' })
  })
})

test('roles are names with commas between them', () => {
  expect([...(parseRoles('web, gateway') ?? [])]).toEqual(['web', 'gateway'])
  expect([parseRoles(''), parseRoles('web,work')]).toEqual([null, null])
})

test('work that cannot be taken is known until it can be taken again', async () => {
  const ending = new AbortController()
  let isBroken = true
  const claim = () => (isBroken ? Promise.reject(new Error('no database')) : Promise.resolve(0))
  const before = failingForMs()
  const loop = runLoop({ claim, pollMs: 1, onFault: () => {} }, ending.signal)
  await Bun.sleep(30)
  expect([before, failingForMs() > 0]).toEqual([0, true])
  isBroken = false
  await Bun.sleep(30)
  expect(failingForMs()).toBe(0)
  ending.abort()
  await loop.done
})
