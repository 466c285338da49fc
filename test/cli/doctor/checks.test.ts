import { Database as Connection } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import {
  checkClock,
  checkConfig,
  checkDatabase,
  checkDisk,
  checkPort,
  checkWorkspace,
} from '../../../cli/doctor/checks.ts'
import { checkIssuers } from '../../../cli/doctor/service.ts'
import { readConfig } from '../../../server/config.ts'
import { migrations } from '../../../db/migrations.gen.ts'
import type { DatabaseTarget } from '../../../db/open.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const runSql = async (target: DatabaseTarget, sql: string): Promise<void> => {
  if (target.kind === 'sqlite') {
    const connection = new Connection(target.path)
    connection.run(sql)
    connection.close()
  } else {
    const client = postgres(target.url, { max: 1 })
    await client.unsafe(sql)
    await client.end()
  }
}

const top = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

test('a misspelt variable is a warning', () => {
  const env = { SVC_PROT: '1' }
  expect(checkConfig(readConfig({ env, file: null }), env)).toEqual({
    name: 'config',
    status: 'warn',
    message: 'unknown variable SVC_PROT (did you mean SVC_PORT?)',
    advice: 'Correct the name or unset the variable.',
  })
  expect(checkConfig(readConfig({ env: {}, file: null }), {}).status).toBe('pass')
})

test('a workspace is writable, to be made, or neither', () => {
  expect(checkWorkspace(top)).toMatchObject({ status: 'pass', message: `${top} is writable` })
  const inner = join(top, 'a', 'b')
  expect(checkWorkspace(inner).message).toBe(`${inner} does not exist yet; the first use makes it`)
  const file = join(top, 'file')
  writeFileSync(file, '')
  expect(checkWorkspace(join(file, 'x'))).toMatchObject({
    status: 'fail',
    message: `${file} is a file, not a folder`,
  })
})

test('there is a word about the disk and the clock', () => {
  expect(checkDisk(join(top, 'later'))).toMatchObject({
    name: 'disk',
    message: expect.stringContaining(' MiB are free at '),
  })
  const now = Date.UTC(2026, 5, 1)
  expect(checkClock(now, now - 1).status).toBe('pass')
  expect(checkClock(now, now + 1)).toMatchObject({
    status: 'fail',
    message: 'this machine says it is 2026-06-01T00:00:00.000Z, before this svc was made',
  })
})

test('a port is free, taken by svc, or taken by another', async () => {
  expect(await checkPort('port', '127.0.0.1', 0, 'SVC_PORT')).toMatchObject({ status: 'pass' })
  let answer = '{"status":"ok"}'
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(answer) })
  const port = server.port ?? 0
  const forAgents = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => (url.endsWith('/health') ? new Response(answer) : new Response('', { status: 404 })),
  })
  expect((await checkPort('mcp port', '127.0.0.1', forAgents.port ?? 0, 'SVC_MCP_HTTP_PORT')).status).toBe('pass')
  await forAgents.stop(true)
  expect(await checkPort('port', '127.0.0.1', port, 'SVC_PORT')).toMatchObject({
    status: 'pass',
    message: `svc is listening on 127.0.0.1:${port} already`,
  })
  answer = 'hello'
  expect(await checkPort('port', '127.0.0.1', port, 'SVC_PORT')).toEqual({
    name: 'port',
    status: 'fail',
    message: `another program is listening on 127.0.0.1:${port}`,
    advice: 'End it, or choose another port with SVC_PORT.',
  })
  expect(await checkPort('mcp port', '127.0.0.1', port, 'SVC_MCP_HTTP_PORT', { isRequired: false })).toMatchObject({
    status: 'warn',
    message: `another program is listening on 127.0.0.1:${port}; agents can use /mcp of the service`,
  })
  await server.stop(true)
  expect((await checkPort('port', '127.0.0.1', port, 'SVC_PORT')).message).toBe(`127.0.0.1:${port} is free`)
  expect(await checkPort('port', '192.0.2.1', 8080, 'SVC_PORT')).toMatchObject({
    status: 'fail',
    message: '192.0.2.1 is not an address of this machine',
  })
})

onBothEngines('the database', (makeDb) => {
  test('is up to date, empty, or not there', async () => {
    const target = await makeDb.makeTarget()
    const sound = await checkDatabase(target)
    expect(sound).toMatchObject({ name: 'database', status: 'pass', advice: null })
    expect(sound.message).toMatch(/^(SQLite|PostgreSQL) [\d.]+ at \S+ is sound and up to date$/)
    const empty = await checkDatabase(await makeDb.makeEmptyTarget())
    expect([empty.status, empty.message.endsWith(' is empty; the first use fills it')]).toEqual(['pass', true])
    const gone = await checkDatabase(
      target.kind === 'sqlite'
        ? { kind: 'sqlite', path: join(top, 'no', 'svc.db') }
        : { kind: 'postgres', url: `${target.url}_gone` },
    )
    expect(gone.status).toBe(target.kind === 'sqlite' ? 'pass' : 'fail')
  })

  test('of a newer svc is refused, one of an older svc announced', async () => {
    const target = await makeDb.makeTarget()
    const [last = ''] = migrations[target.kind].map(({ id }) => id).slice(-1)
    await runSql(target, `update svc_migrations set id = '9999_future' where id = '${last}'`)
    expect(await checkDatabase(target)).toEqual({
      name: 'database',
      status: 'fail',
      message: 'The database was created by a newer version of svc: it has the unknown migration 9999_future.',
      advice: 'Use the newer svc, or restore a backup that was created by this version.',
    })
    await runSql(target, "delete from svc_migrations where id = '9999_future'")
    const older = await checkDatabase(target)
    expect(older).toMatchObject({ status: 'warn', advice: 'Create a backup first: "svc backup create".' })
    expect(older.message).toEndWith(` is sound; the next start applies ${last}`)
  })
})

test('a file that is no database is named', async () => {
  const path = join(top, 'other.db')
  writeFileSync(path, 'this is a text, and a rather long one'.repeat(50))
  expect(await checkDatabase({ kind: 'sqlite', path })).toMatchObject({
    status: 'fail',
    message: `Cannot use the workspace ${path}: the file is not a SQLite database.`,
  })
})

test('issuers are asked through the guard', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { origin, pathname } = new URL(url)
      if (pathname === '/keys') return Response.json({ keys: [] })
      if (pathname.startsWith('/page')) return new Response('<p>', { headers: { 'content-type': 'text/html' } })
      if (pathname.startsWith('/unnamed')) return Response.json({ issuer: 5 })
      return Response.json({
        issuer: pathname.startsWith('/other') ? 'https://x.example' : origin,
        jwks_uri: `${origin}/keys`,
      })
    },
  })
  const { origin } = server.url
  const ask = async (env: Readonly<Record<string, string>>) =>
    (await checkIssuers(readConfig({ env, file: null }).values)).map((it) => `${it.status} ${it.message}`)
  const allowed = { SVC_EGRESS_ALLOW: '127.0.0.0/8' }
  expect(await ask({})).toEqual([])
  expect(await ask({ ...allowed, SVC_OIDC_ISSUER: origin, SVC_OIDC_CLIENT_ID: 'x' })).toEqual([
    `pass ${origin} answers, and its keys can be read`,
  ])
  expect(await ask({ ...allowed, SVC_JWT_ISSUERS: `${origin}/other, https://y.example ${origin}/keys` })).toEqual([
    `fail ${origin}/other cannot be used: its discovery document names another issuer`,
    'pass https://y.example answers, and its keys can be read',
  ])
  expect(await ask({ ...allowed, SVC_JWT_ISSUERS: `${origin}/page, ${origin}/unnamed` })).toEqual([
    `fail ${origin}/page cannot be used: its discovery document must be a JSON object with the media type application/json`,
    `fail ${origin}/unnamed cannot be used: its discovery document is invalid: "issuer" must be a string`,
  ])
  expect((await ask({ SVC_JWT_ISSUERS: origin }))[0]).toContain('an address that is not public')
  await server.stop(true)
})
