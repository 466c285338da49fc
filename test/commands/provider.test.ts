/** The commands about git providers, and linking an account by authorizing, against a service on loopback. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Login } from '../../cli/connection/login.ts'
import { writeLogin } from '../../cli/connection/login-store.ts'
import { registry } from '../../cli/registry.gen.ts'
import { migrateSqlite } from '../../db/migrate-sqlite.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { beginSession } from '../../server/auth/session.ts'
import { startFakeProvider } from '../fixtures/fake-provider.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { startService } from '../fixtures/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-provider-'))
const lab = startFakeProvider('gitlab')
afterAll(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
})

const planted = 'planted-client-secret'
const settled = (text: string) =>
  text
    .replaceAll(lab.host, 'HOST')
    .replaceAll(/\b[0-9a-f]{8}\b/g, 'FINGERPRINT')
    .replaceAll(/ {2,}/g, '  ')

test('an OAuth client is stored, listed and removed on the machine, and its secret is shown nowhere', async () => {
  const said: string[] = []
  const svc = async (argv: readonly string[], given: { stdin?: string; env?: Record<string, string> } = {}) => {
    const env = { SVC_WORKSPACE: folder, SVC_GIT_HOSTS: `${lab.host}=gitlab`, ...given.env }
    const done = await runCommand(argv, registry, { ...given, env, cwd: folder })
    said.push(done.stdout, done.stderr)
    return done
  }
  const oauth = ['provider', 'oauth', 'gitlab', '--host', lab.host, '--client-id', 'c1']
  expect((await svc(oauth)).stderr).toContain('Missing secret: pipe it to --secret-stdin, or set SVC_CLIENT_SECRET')
  expect(
    (await svc(['provider', 'oauth', 'github', '--host', lab.host, '--client-id', 'c1'], { stdin: planted })).exit,
  ).toBe(2)
  const wrongHost = await svc(
    ['provider', 'oauth', 'github', '--host', lab.host, '--client-id', 'c1', '--secret-stdin'],
    {
      stdin: planted,
    },
  )
  expect([wrongHost.exit, wrongHost.stderr.replaceAll(lab.host, 'HOST')]).toEqual([
    2,
    expect.stringContaining('The host HOST is invalid: it runs gitlab, not github.'),
  ])
  expect(settled((await svc([...oauth, '--secret-stdin'], { stdin: `${planted}\n` })).stdout)).toBe(
    'provider: gitlab (HOST)\nclient:  c1\nsecret:  FINGERPRINT\n',
  )
  await svc([...oauth, '--scopes', 'api'], { env: { SVC_CLIENT_SECRET: planted } })
  const listed = await svc(['provider', 'list'], { env: { SVC_PUBLIC_URL: 'https://svc.example/' } })
  expect(settled(listed.stdout)).toBe(`PROVIDER  HOST  OAUTH CLIENT  SECRET  APP
github  github.com  -  -  -
gitlab  gitlab.com  -  -  -
bitbucket  bitbucket.org  -  -  -
gitlab  HOST  c1  FINGERPRINT  -

redirect address: https://svc.example/v1/auth/linked-accounts/callback
`)
  expect((await svc(['provider', 'list', '--base-url', 'https://svc.example'])).exit).toBe(2)
  expect((await svc(['provider', 'delete', 'gitlab', '--host', lab.host])).stdout.replace(lab.host, 'HOST')).toBe(
    'Removed the OAuth client of HOST.\n',
  )
  expect((await svc(['provider', 'delete', 'gitlab', '--host', lab.host])).stderr).toContain(
    `${lab.host} has no OAuth client here: there is nothing to remove.`,
  )
  expect(said.join('\n')).not.toContain(planted)
  expect(readFileSync(join(folder, 'svc.db')).toString('latin1')).not.toContain(planted)
}, 60_000)

test('svc account connect prints an address, waits until the person authorized, and shows the account', async () => {
  const path = join(folder, 'service.db')
  await migrateSqlite(path)
  const db = openSqlite(path)
  const it = await startService(db, { egressAllow: '127.0.0.0/8', gitHosts: `${lab.host}=gitlab` })
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => it.service.handle(request) })
  try {
    const env = { SVC_BASE_URL: server.url.origin, XDG_CONFIG_HOME: folder, SVC_TENANT: 'local' }
    const login = new Login(env, { baseUrl: server.url.origin, timeoutMs: 5000, signal: AbortSignal.timeout(60_000) })
    const later = new Date(Date.now() + 600_000).toISOString()
    const accessToken = (await it.service.identity.tokens.issue(it.ownerId)).token
    const stored = { baseUrl: server.url.origin, email: 'ada', tenant: 'local', accessToken, refreshToken: 'r' }
    writeLogin(login.path, { ...stored, accessExpiresAt: later, refreshExpiresAt: later })
    const argv = ['account', 'connect', 'gitlab', '--host', lab.host]
    const options = { env, cwd: folder }
    const missing = await runCommand(argv, registry, options)
    expect([missing.exit, missing.stderr]).toEqual([2, expect.stringContaining('svc provider oauth')])
    lab.oauth.clients.set('c1', planted)
    const { setClient } = await import('../../server/providers/clients.ts')
    const client = { provider: 'gitlab' as const, host: lab.host, clientId: 'c1', clientSecret: planted, scopes: 'api' }
    await setClient(it.service.deps, null, client)

    const { stdout } = await runCommand([...argv, '--no-wait'], registry, options)
    expect(new URL(stdout.trim()).searchParams.get('scope')).toBe('api')
    const facts = { userId: it.ownerId, userAgent: 'test', now: Date.now(), secure: false }
    const { cookie } = await db.inTransaction((tx) => beginSession(tx, facts))
    let visited: Promise<Response> | Response | null = null
    const waited = await runCommand(argv, registry, {
      ...options,
      onStderr: (text) => {
        const url = /http:\S+/.exec(text)?.[0]
        if (url === undefined || visited !== null) return
        const back = lab.oauth.visit(url, 'ada')
        visited = it.service.handle(
          new Request(`${server.url.origin}${back.pathname}${back.search}`, {
            headers: { cookie: cookie.split(';')[0] ?? '' },
          }),
        )
      },
    })
    expect([waited.exit, waited.stdout.replaceAll(lab.host, 'HOST')]).toEqual([
      0,
      expect.stringMatching(/account: {2,}ada \(gitlab, HOST\)\nowner: {2,}personal\nstatus: {2,}active/),
    ])
    const local = await runCommand(argv, registry, {
      env: { SVC_WORKSPACE: join(folder, 'local'), SVC_GIT_HOSTS: `${lab.host}=gitlab` },
      cwd: folder,
    })
    expect(local.exit).toBe(2)
  } finally {
    await server.stop(true)
    await it.service.stop()
    await db.close()
  }
}, 60_000)
