/** Two `svc serve` processes on one database: started together, sharing sign-in and jobs, one of them killed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count, eq } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { type DatabaseTarget, openDatabase } from '../../db/open.ts'
import { importItems, jobs, tenants, versions } from '../../db/tables.gen.ts'
import { onBothEngines } from '../fixtures/engines.ts'

const program = join(import.meta.dir, '../../cli/main.ts')
const email = 'ann@example.test'
const password = 'correct horse battery staple'

interface Replica {
  readonly url: string
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
}

const document = (title: string): string => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
paths:
  /things: { get: { operationId: listThings, responses: { '200': { description: ok } } } }
`

onBothEngines('two servers on one database', (makeDb) => {
  let folder = ''
  let target: DatabaseTarget
  let db: Database
  let env: Record<string, string> = {}
  const replicas: Replica[] = []

  async function start(): Promise<Replica> {
    const process_ = Bun.spawn([process.execPath, program, 'serve', '--port', '0', '--log-level', 'error'], {
      cwd: folder,
      env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    let said = ''
    for await (const chunk of process_.stdout) {
      said += new TextDecoder().decode(chunk)
      const url = /listens on (http:\S+)/.exec(said)?.[1]
      if (url !== undefined) return { url, process: process_ }
    }
    throw new Error(`The server did not start: ${said}`)
  }

  let token = ''
  const ask = async (replica: Replica, path: string, init: RequestInit & { body?: string } = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(replica.url + path, { ...init, headers })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const post = (replica: Replica, path: string, body: object) =>
    ask(replica, path, { method: 'POST', body: JSON.stringify(body) })
  const submit = async (replica: Replica, title: string): Promise<string> => {
    const source = { kind: 'inline', name: 'a.yaml', content: document(title) }
    const { status, body } = await post(replica, '/v1/tenants/local/imports', { source })
    expect([status, body]).toEqual([202, expect.objectContaining({ job_id: expect.any(String) })])
    return String(body.job_id)
  }
  const finish = async (replica: Replica, id: string): Promise<unknown> => {
    for (let n = 0; n < 600; n++) {
      const { status, body } = await ask(replica, `/v1/imports/${id}`)
      if (status !== 200 || body.finished_at !== null) return status === 200 ? body.status : [status, body]
      await Bun.sleep(50)
    }
    return 'never finished'
  }
  const pair = (): [Replica, Replica] => replicas as unknown as [Replica, Replica]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-replicas-'))
    target =
      makeDb.dialect === 'sqlite' ? { kind: 'sqlite', path: join(folder, 'svc.db') } : await makeDb.makeEmptyTarget()
    env = {
      HOME: folder,
      SVC_WORKSPACE: folder,
      SVC_MCP_HTTP_PORT: '0',
      SVC_USER_PASSWORD: password,
      ...(target.kind === 'postgres' ? { SVC_DATABASE_URL: target.url } : {}),
    }
    replicas.push(...(await Promise.all([start(), start()])))
    db = await openDatabase(target)
  }, 60_000)
  afterAll(async () => {
    for (const replica of replicas) replica.process.kill('SIGKILL')
    await Promise.all(replicas.map((replica) => replica.process.exited))
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('started together on nothing, they agree on the one tenant there is', async () => {
    expect(await db.read.select({ slug: tenants.slug }).from(tenants)).toEqual([{ slug: 'local' }])
  })

  test('a person who signs in at one is signed in at the other', async () => {
    const [first, second] = pair()
    const created = Bun.spawn([process.execPath, program, 'user', 'create', email], {
      cwd: folder,
      env,
      stdout: 'ignore',
      stderr: 'inherit',
    })
    expect(await created.exited).toBe(0)
    const login = await post(first, '/v1/auth/login', { email, password })
    token = String(login.body.access_token)
    const me = await ask(second, '/v1/auth/me')
    expect([login.status, me.status, (me.body.user as { email: string }).email]).toEqual([200, 200, email])
  })

  test('imports handed to either are done once, and each can be asked about all', async () => {
    const submitted = await Promise.all(
      Array.from({ length: 40 }, (_, n) => submit(replicas[n % 2] as Replica, `Shared ${n}`)),
    )
    const statuses = await Promise.all(submitted.map((id, n) => finish(replicas[(n + 1) % 2] as Replica, id)))
    expect(statuses).toEqual(submitted.map(() => 'completed'))
    expect(await db.read.select({ n: count() }).from(versions)).toEqual([{ n: 40 }])
    const attempts = await db.read.select({ attempts: jobs.attempts }).from(jobs)
    expect(attempts).toEqual(submitted.map(() => ({ attempts: 1 })))
  }, 180_000)

  test('when one is killed the other does all that was accepted, and stops in order', async () => {
    const [first, second] = pair()
    const accepted = await Promise.all(Array.from({ length: 10 }, (_, n) => submit(first, `Orphan ${n}`)))
    const files = Array.from({ length: 60 }, (_, n) => ({ path: `${n}.yaml`, content: document(`Bulk ${n}`) }))
    const source = { kind: 'files', name: 'many', files }
    const bulk = await post(first, '/v1/tenants/local/imports', { source, bulk: true })
    accepted.push(String(bulk.body.job_id))
    // In the middle of it: some of its documents are done, others are not begun.
    for (let n = 0; n < 400 && (await db.read.select().from(importItems).limit(2)).length < 2; n++) await Bun.sleep(5)
    first.process.kill('SIGKILL')
    await first.process.exited
    // The leases of the dead run out in a minute: this is that minute.
    const past = { leaseUntil: '2026-01-01T00:00:00.000Z' }
    await db.inTransaction((tx) => tx.update(jobs).set(past).where(eq(jobs.status, 'running')))
    const statuses = await Promise.all(accepted.map((id) => finish(second, id)))
    expect(statuses).toEqual(accepted.map(() => 'completed'))
    expect(await db.read.select({ n: count() }).from(versions)).toEqual([{ n: 110 }])
    const { body } = await ask(second, `/v1/imports/${String(bulk.body.job_id)}`)
    expect(body.summary).toMatchObject({ documents: 60, created: 60, unchanged: 0, failed: 0 })
    second.process.kill('SIGTERM')
    expect(await second.process.exited).toBe(0)
  }, 180_000)
})
