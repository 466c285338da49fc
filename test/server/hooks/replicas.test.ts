/** Two `svc serve` processes hear of the same push; tokens and secrets appear in nothing that they write. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { allTables } from '../../../db/backup/copy-rows.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase, type DatabaseTarget } from '../../../db/open.ts'
import { dueWork, hookEvents, syncCandidates } from '../../../db/tables.gen.ts'
import { linkedAccountsApi } from '../../../src/api/linked-accounts.ts'
import { repositoriesApi } from '../../../src/api/repositories.ts'
import { repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { testKey } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startFakeProvider, type FakeProvider } from '../../fixtures/fake-provider.ts'
import { openPetsProject, petsBase, petsYaml } from '../../fixtures/pets-project.ts'
import { startReplica, type Replica } from '../../fixtures/replica.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const token = 'planted-token-0123456789abcdef'
const secret = 'planted-hook-secret-0123456789'
const basic = Buffer.from(`oauth2:${token}`).toString('base64')
const body = JSON.stringify({ ref: 'refs/heads/main' })

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)

onBothEngines('pushes that two servers hear of', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root, (_, given) => given === `Basic ${basic}`)
  let lab: FakeProvider
  /** One host for git and REST, as providers have it; `says` repeats what it was sent. */
  let says: ((authorization: string) => string) | null = null
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (says !== null && pathname.endsWith('/info/refs')) {
        const line = `ERR ${says(request.headers.get('authorization') ?? '')}`
        const packet = `${(line.length + 4).toString(16).padStart(4, '0')}${line}`
        return new Response(`001e# service=git-upload-pack\n0000${packet}`, {
          headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
        })
      }
      const to = pathname.startsWith('/api/') ? `http://${lab.host}` : served.url
      const { method, headers } = request
      const sent = method === 'GET' ? {} : { body: await request.arrayBuffer() }
      return fetch(to + pathname + search, { method, headers, ...sent, decompress: false })
    },
  })
  const host = `127.0.0.1:${front.port}`
  const replicas: Replica[] = []
  const answers: string[] = []
  let folder = ''
  let db: Database
  let env: Record<string, string> = {}
  let key = ''
  let hookPath = ''
  let id = ''

  const ask = async (
    replica: Replica,
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const answer = await fetch(replica.url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } })
    const text = await answer.text()
    answers.push(text)
    return { status: answer.status, value: JSON.parse(text) as Record<string, unknown> }
  }
  const deliver = async (replica: Replica, delivery: string) => {
    const { status, value } = await ask(replica, hookPath, {
      method: 'POST',
      body,
      headers: {
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-event-uuid': delivery,
        'x-gitlab-token': secret,
      },
    })
    return `${status} ${String(value['outcome'])}`
  }
  const pushed = () => db.read.$count(dueWork, eq(dueWork.kind, 'repository.push'))
  const commit = (text: string): string => {
    writeFileSync(join(git.root, 'acme/shop/openapi.yaml'), text)
    git.git('acme/shop', 'commit', '-qam', 'more')
    return git.git('acme/shop', 'rev-parse', 'HEAD')
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-hooks-'))
    git.create('acme/shop', { 'openapi.yaml': petsYaml('1.0.0') })
    lab = startFakeProvider('gitlab')
    lab.tokens.set(token, { login: 'ada', scopes: ['read_repository', 'read_api'] })
    const target: DatabaseTarget =
      makeDb.dialect === 'sqlite' ? { kind: 'sqlite', path: join(folder, 'svc.db') } : await makeDb.makeEmptyTarget()
    db = await openDatabase(target)
    const it = await openPetsProject(db, { egressAllow: '127.0.0.0/8', gitHosts: `${host}=gitlab` })
    key = it.key
    const params = { tenant_slug: 'local' }
    const account = await it.call(linkedAccountsApi.create, {
      params,
      body: { provider: 'gitlab', host, token, owner: 'tenant' },
    })
    const made = await it.call(repositoriesApi.create, {
      params,
      body: {
        source: 'linked_account',
        linkedAccountId: account.id,
        repositoryFullName: 'acme/shop',
        cloneUrl: `http://${host}/acme/shop/.git`,
      },
    })
    id = made.repository.id
    const hook = await it.call(repositoryHooksApi.create, {
      params: { ...params, repository_id: id },
      body: { create: 'manual', secret },
    })
    hookPath = new URL(hook.subscription.url).pathname
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    const bound = await it.send('POST', '/1.0.0/binding', { repository_id: id, path: 'openapi.yaml' })
    expect([bound.status, it.faults]).toEqual([201, []])
    await it.service.stop()
    env = {
      HOME: folder,
      PATH: process.env['PATH'] ?? '',
      SVC_WORKSPACE: folder,
      SVC_MCP_HTTP_PORT: '0',
      SVC_EGRESS_ALLOW: '127.0.0.0/8',
      SVC_GIT_HOSTS: `${host}=gitlab`,
      SVC_SECRET_KEY: testKey,
      ...(target.kind === 'postgres' ? { SVC_DATABASE_URL: target.url } : {}),
    }
    replicas.push(...(await Promise.all([startReplica(folder, env), startReplica(folder, env)])))
  }, 60_000)
  afterAll(async () => {
    for (const replica of replicas) replica.process.kill('SIGKILL')
    await Promise.all(replicas.map((replica) => replica.process.exited))
    await front.stop(true)
    await served.stop()
    await lab.stop()
    await db.close()
    git.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('one of them takes a delivery that both get, and a push is one candidate', async () => {
    const [first, second] = replicas as [Replica, Replica]
    const heads: string[] = []
    for (let n = 0; n < 3; n++) {
      heads.push(commit(petsYaml('1.0.0', `{ /a${n}: {} }`)))
      const both = await Promise.all([deliver(first, `d${n}`), deliver(second, `d${n}`)])
      expect(both.toSorted()).toEqual(['202 accepted', '202 duplicate'])
      while ((await pushed()) > 0) await Bun.sleep(20)
    }
    const rows = await db.read.select().from(syncCandidates)
    expect(rows.map((row) => `${row.toCommit} ${row.detectedBy} ${row.status}`).toSorted()).toEqual(
      heads.map((head) => `${head} webhook pending`).toSorted(),
    )
    const duplicate = and(eq(hookEvents.outcome, 'duplicate'))
    expect(await db.read.$count(hookEvents, duplicate)).toBe(3)
    const shown = await ask(second, `${petsBase}/1.0.0/binding`)
    expect((shown.value['pending'] as unknown[]).length).toBe(3)
  }, 60_000)

  test('planted tokens and secrets are in no answer, log, table, mirror or backup', async () => {
    const [first, second] = replicas as [Replica, Replica]
    says = (authorization) => `refused ${authorization} ${Buffer.from(authorization.slice(6), 'base64').toString()}`
    commit(petsYaml('1.0.0', '{ /b: {} }'))
    expect(await deliver(first, 'e1')).toBe('202 accepted')
    while ((await pushed()) > 0) await Bun.sleep(20)
    const { value } = await ask(second, `/v1/tenants/local/repositories/${id}`)
    expect((value['repository'] as { health: unknown }).health).toMatchObject({
      badge: 'failing',
      reasons: [{ code: 'unreachable', message: 'remote error: refused Basic … oauth2:…' }],
    })
    const check = await ask(first, `${petsBase}/1.0.0/binding/check`, { method: 'POST' })
    expect(check).toMatchObject({ status: 422, value: { detail: { code: 'repository-unreadable' } } })
    await ask(first, `/v1/tenants/local/repositories/${id}/webhook`)
    await ask(first, '/v1/tenants/local/linked-accounts')
    says = null
    const mirrors = filesBelow(join(folder, 'mirrors'))
    expect(mirrors.length).toBeGreaterThan(5)
    for (const { process: it } of replicas) it.kill('SIGTERM')
    expect(await Promise.all(replicas.map(({ process: it }) => it.exited))).toEqual([0, 0])
    const program = [process.execPath, join(import.meta.dir, '../../../cli/main.ts')]
    const copied = Bun.spawnSync([...program, 'backup', 'create', 'all.svcbackup'], { cwd: folder, env })
    expect([copied.exitCode, copied.stderr.toString()]).toEqual([0, expect.any(String)])
    const tables = []
    for (const table of allTables) tables.push(JSON.stringify(await db.read.select().from(table)))
    const texts = [
      ...answers,
      ...tables,
      ...(await Promise.all(replicas.map(({ log }) => log))),
      copied.stdout.toString(),
      copied.stderr.toString(),
      ...filesBelow(folder).map((path) => readFileSync(path).toString('latin1')),
      ...mirrors,
    ]
    const planted = [token, secret, basic, testKey, createHmac('sha256', secret).update(body).digest('hex')]
    expect(planted.map((one) => texts.filter((text) => text.includes(one)).length)).toEqual([0, 0, 0, 0, 0])
  }, 60_000)
})
