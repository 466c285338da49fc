/** Signing the command line in at a service: approved elsewhere, kept in a file, renewed by one process at a time. */
import { clockOf } from '../../../db/clock.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import login from '../../../commands/auth/login.ts'
import authCommands from '../../../commands/auth/index.ts'
import type { StoredLogin } from '../../../cli/connection/login-store.ts'
import memberCommands from '../../../commands/member/index.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/open.ts'
import { addApiKey, addMember, addTenant } from '../../fixtures/accounts.ts'
import { addPerson, type Service, startIdentityService } from '../../fixtures/identity-service.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const { logout, status, tenants } = authCommands.commands
const { list: memberList } = memberCommands.commands

const registry = registryOf({
  'auth login': login,
  'auth logout': logout,
  'auth status': status,
  'auth tenants': tenants,
  'member list': memberList,
})
const main = join(import.meta.dir, '../../../cli/main.ts')
const top = mkdtempSync(join(tmpdir(), 'svc-login-'))
let folder = ''
let db: Database
let service: Service
let server: Bun.Server<undefined>
let base = ''
let ann = ''
let refreshes = 0

beforeAll(async () => {
  db = await openDatabase({ kind: 'sqlite', path: join(top, 'svc.db') })
  service = startIdentityService(db, { clock: clockOf(), publicUrl: () => base })
  service.clock.value = Date.now()
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (request.url.endsWith('/v1/auth/refresh')) refreshes += 1
      const response = await service.handle(request)
      if (!request.url.endsWith('/v1/auth/device/code')) return response
      // The pace is the service's to set: a shorter one makes the tests shorter.
      return Response.json({ ...((await response.json()) as object), interval: 1 })
    },
  })
  base = server.url.origin
  ann = await addPerson(db, 'ann')
  for (const slug of ['acme', 'beta']) await addMember(db, await addTenant(db, slug), ann, 'owner')
})
afterAll(async () => {
  await server.stop(true)
  await db.close()
  rmSync(top, { recursive: true, force: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(top, 'home-'))
})

const at = (line: string, env: Record<string, string> = {}) =>
  runCommand(['--base-url', base, ...line.split(' ')], registry, { env: { XDG_CONFIG_HOME: folder, ...env } })

const decide = async (userCode: string, body: object = { approve: true }) =>
  service.ask('POST /_app/device/decision', {
    headers: await service.browser(ann),
    body: { user_code: userCode, ...body },
  })

/** Runs `auth login` and decides as soon as it shows its code; the pace is that of the service. */
async function signIn(line = 'auth login', body: object = { approve: true }, env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, main, '--base-url', base, ...line.split(' ')], {
    env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder, HOME: folder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let stderr = ''
  for await (const chunk of child.stderr) {
    stderr += new TextDecoder().decode(chunk)
    const code = /type ([A-Z]{4}-[A-Z]{4})/.exec(stderr)?.[1]
    if (code !== undefined && !stderr.includes('decided')) {
      stderr += 'decided'
      await decide(code, body)
    }
  }
  const stdout = await new Response(child.stdout).text()
  return { exit: await child.exited, stdout, stderr: stderr.replace('decided', '') }
}

const files = (): string[] => {
  const path = join(folder, 'svc/credentials')
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
}
const stored = (): StoredLogin => JSON.parse(readFileSync(files()[0] ?? '', 'utf8')) as StoredLogin
const keep = (login: StoredLogin): void => writeFileSync(files()[0] ?? '', JSON.stringify(login))
const ended = new Date(0).toISOString()

/** A sign-in as `auth login` keeps it, without waiting for anybody. */
async function signInQuickly(tenant: string | null = null): Promise<void> {
  const { loginOf } = await import('../../../cli/connection/login.ts')
  const { loginPath, writeLogin } = await import('../../../cli/connection/login-store.ts')
  const { beginSignIn } = await import('../../../server/sign-in/sign-in.ts')
  const { userOf } = await import('../../../server/users/find.ts')
  const pair = await beginSignIn(service.identity, await userOf(db.read, ann))
  writeLogin(loginPath({ XDG_CONFIG_HOME: folder }, base), loginOf(base, pair, tenant))
}

test('the whole way: a code, an approval elsewhere, a file that only its owner reads', async () => {
  const { exit, stdout, stderr } = await signIn('auth login', { approve: true, tenant: 'beta' })
  expect(exit).toBe(0)
  expect(stderr).toMatch(
    new RegExp(
      `^Open +${base}/app/device\\nand type [A-Z]{4}-[A-Z]{4} \\(good for 15 minutes\\).*\\n +${base}/app/device\\?user_code=`,
    ),
  )
  const [path = ''] = files()
  expect(stdout).toBe(
    `service:      ${base}\nsigned in as: ann@example.com\ntenant:       beta\nkept in:      ${path}\n`,
  )
  expect(files()).toHaveLength(1)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'svc/credentials')).mode & 0o777).toBe(0o700)
  expect([stdout, stderr].some((text) => text.includes(stored().accessToken) || text.includes('svr_'))).toBe(false)
  const shown = await at('auth status')
  expect([shown.exit, shown.stdout]).toEqual([
    0,
    `service: ${base}
as:      a person
with:    the sign-in of ann@example.com, kept in ${path}

TENANT  ROLE   STATUS  PLAN  NAME
acme    owner  active  team  Tenant acme
beta    owner  active  team  Tenant beta
`,
  ])
  // The tenant that was chosen is the one to work in; one that is named goes before it.
  expect((await at('member list')).stdout).toContain('ann@example.com')
  expect((await at('--tenant nowhere member list')).exit).toBe(2)
  // A key goes before the sign-in.
  const key = await addApiKey(db, await addTenant(db, 'gamma'))
  const withKey = await at('auth status', { SVC_API_KEY: key })
  expect(withKey.stdout).toContain(`with:    the key ${key.slice(0, 12)}… of SVC_API_KEY`)
  expect(withKey.stdout.includes(key)).toBe(false)
  const json = JSON.parse((await at('auth status --json')).stdout) as { data: { credential: unknown } }
  expect(json.data.credential).toEqual({ kind: 'login', source: path, name: 'ann@example.com' })
})

test('denied is 2, and nothing is kept', async () => {
  const { exit, stdout, stderr } = await signIn('auth login --json', { approve: false })
  expect([exit, JSON.parse(stdout).error.code]).toEqual([2, 'access_denied'])
  expect(stderr).toContain('The sign-in was denied')
  expect(files()).toEqual([])
})

test('without a service to sign in at, or with nobody there, it says so', async () => {
  const env = { XDG_CONFIG_HOME: folder }
  const nowhere = await runCommand(['auth', 'login'], registry, { env })
  expect([nowhere.exit, nowhere.stderr.includes('Give the URL of the service with --base-url')]).toEqual([2, true])
  expect((await runCommand(['auth', 'logout'], registry, { env })).exit).toBe(2)
  const silent = await runCommand(['--base-url', 'http://127.0.0.1:1', 'auth', 'login'], registry, { env })
  expect([silent.exit, silent.stderr.includes('did not answer')]).toEqual([1, true])
  const none = await at('auth status')
  expect([none.exit, none.stderr.includes('svc auth login')]).toEqual([2, true])
  expect((await at('auth logout')).stdout).toBe(`Not signed in to ${base}.\n`)
  expect(files()).toEqual([])
})

test('an access token that ends is renewed before it is used; one that is refused, once', async () => {
  await signInQuickly()
  const first = stored()
  keep({ ...first, accessExpiresAt: ended })
  expect((await at('auth tenants')).exit).toBe(0)
  const second = stored()
  expect([second.accessToken === first.accessToken, second.refreshToken === first.refreshToken]).toEqual([false, false])
  expect(Date.parse(second.accessExpiresAt) > Date.now() + 800_000).toBe(true)
  keep({ ...second, accessToken: `${second.accessToken.slice(0, -8)}AAAAAAAA` })
  expect((await at('auth tenants')).exit).toBe(0)
  expect(stored().refreshToken === second.refreshToken).toBe(false)
  expect(statSync(files()[0] ?? '').mode & 0o777).toBe(0o600)
  expect(files()).toHaveLength(1)
})

test('of many processes at once one renews, and the sign-in lives on', async () => {
  await signInQuickly()
  keep({ ...stored(), accessExpiresAt: ended })
  refreshes = 0
  const runs = Array.from({ length: 4 }, async () => {
    const child = Bun.spawn([process.execPath, main, '--base-url', base, 'auth', 'tenants', '--json'], {
      env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder, HOME: folder },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    return [await child.exited, await new Response(child.stderr).text()]
  })
  expect(await Promise.all(runs)).toEqual(Array.from({ length: 4 }, () => [0, '']))
  expect(refreshes).toBe(1)
  keep({ ...stored(), accessExpiresAt: ended })
  expect((await at('auth tenants')).exit).toBe(0)
  expect(files()).toHaveLength(1)
}, 60_000)

test('a lock whose holder died is broken', async () => {
  await signInQuickly()
  const [path = ''] = files()
  keep({ ...stored(), accessExpiresAt: ended })
  writeFileSync(`${path}.lock`, '1\n')
  const { utimesSync } = await import('node:fs')
  utimesSync(`${path}.lock`, new Date(0), new Date(0))
  expect((await at('auth tenants')).exit).toBe(0)
  expect(files()).toHaveLength(1)
})

test('a sign-in that has ended is forgotten, and says how to begin again', async () => {
  await signInQuickly()
  const { refreshToken } = stored()
  await service.ask('POST /v1/auth/logout', { body: { refresh_token: refreshToken } })
  keep({ ...stored(), accessExpiresAt: ended })
  const { exit, stderr } = await at('auth tenants')
  expect([exit, stderr.includes(`svc --base-url ${base} auth login`), stderr.includes(refreshToken)]).toEqual([
    2,
    true,
    false,
  ])
  expect(files()).toEqual([])
})

test('signing out ends the sign-in there and here; where nobody answers, here alone', async () => {
  await signInQuickly()
  const { refreshToken } = stored()
  const { exit, stdout } = await at('auth logout')
  expect([exit, stdout]).toEqual([0, `ann@example.com signed out at ${base}.\n`])
  expect(files()).toEqual([])
  expect((await service.ask('POST /v1/auth/refresh', { body: { refresh_token: refreshToken } })).status).toBe(401)
  await signInQuickly()
  const gone = new URL(base)
  gone.port = '1'
  const { loginPath, writeLogin } = await import('../../../cli/connection/login-store.ts')
  writeLogin(loginPath({ XDG_CONFIG_HOME: folder }, gone.origin), { ...stored(), baseUrl: gone.origin })
  const far = await runCommand(['--base-url', gone.origin, 'auth', 'logout'], registry, {
    env: { XDG_CONFIG_HOME: folder },
  })
  expect([far.exit, far.stderr.includes('did not answer')]).toEqual([1, true])
  // The sign-in at the other address is another one.
  expect(files()).toHaveLength(1)
})

test('a file that is damaged is no sign-in; a folder that cannot be written to is said', async () => {
  await signInQuickly()
  const [path = ''] = files()
  for (const text of ['', '{', '[]', 'null', '{"accessToken": 5}']) {
    writeFileSync(path, text)
    expect((await at('auth tenants')).stderr).toContain('Not signed in')
  }
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  chmodSync(file, 0o600)
  await signInQuickly()
  const kept = stored()
  const { writeLogin } = await import('../../../cli/connection/login-store.ts')
  expect(() => writeLogin(join(file, 'x/y.json'), kept)).toThrow('Cannot write "')
})
