/** Accounts on the machine that holds the data, beside a service on the same workspace. */
import { clockOf } from '../../db/clock.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { auditEvents, tenants, users } from '../../db/tables.gen.ts'
import { addMember, addTenant, addUser } from '../fixtures/accounts.ts'
import { brief, type Service, startIdentityService } from '../fixtures/identity-service.ts'
import { runCommand } from '../fixtures/run-command.ts'

const [first, second] = ['a long enough secret', 'another long secret']
let folder = ''
let db: Database
let service: Service

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-user-'))
  db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  service = startIdentityService(db, { clock: clockOf() })
})
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = async (line: string, stdin?: string) => {
  const given = { env: { SVC_WORKSPACE: folder }, cwd: folder, ...(stdin === undefined ? {} : { stdin }) }
  const { exit, stdout, stderr } = await runCommand(line.split(' '), registry, given)
  return [
    exit,
    (exit === 0 ? stdout : (stderr.split('\n')[0] ?? ''))
      .replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d/g, 'TIME')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID'),
  ]
}
const signIn = (password: string, address?: string) =>
  service.ask('POST /v1/auth/login', {
    body: { email: 'ann@example.com', password },
    ...(address === undefined ? {} : { address }),
  })

test('a person is made, kept out, let in, and given another password', async () => {
  expect((await run('user list'))[1]).toStartWith('No users yet.')
  expect(await run('user create ann@example.com --password-stdin', `${first}\n`)).toMatchObject([0, expect.any(String)])
  expect(await run('user list')).toEqual([
    0,
    'E-MAIL           VERIFIED  STATUS  SINCE             INVITED TO  ID                                    NAME\nann@example.com  no        active  TIME  -           ID  ann\n',
  ])
  const { body } = await signIn(first)
  const headers = { authorization: `Bearer ${body.access_token}` }
  const me = async () => (await service.ask('GET /v1/auth/me', { headers })).status
  expect(await me()).toBe(200)

  expect(await run('user disable Ann@example.com')).toEqual([0, 'ann@example.com is disabled\n'])
  expect(await me()).toBe(401)
  expect(brief(await signIn(first))).toEqual([401, 'credentials-invalid'])
  const refresh = { body: { refresh_token: body.refresh_token } }
  expect((await service.ask('POST /v1/auth/refresh', refresh)).status).toBe(401)
  expect(await run('user enable ann@example.com')).toEqual([0, 'ann@example.com is active\n'])
  expect((await service.ask('POST /v1/auth/refresh', refresh)).status).toBe(401)
  expect((await signIn(first)).status).toBe(200)

  const home = '192.0.2.1'
  for (let n = 0; n < 5; n++) await signIn('wrong', home)
  expect(brief(await signIn(first, home))).toEqual([429, 'auth-rate-limited'])
  expect(await run('user password ann@example.com --password-stdin', 'short\n')).toEqual([
    2,
    expect.stringContaining('The password is too weak'),
  ])
  expect(await run('user password ann@example.com --password-stdin', `${second}\n`)).toEqual([
    0,
    'ann@example.com has a new password\n',
  ])
  expect((await signIn(first, home)).status).toBe(401)
  expect((await signIn(second, home)).status).toBe(200)
  const actions = (await db.read.select().from(auditEvents).orderBy(auditEvents.id)).map((it) => it.action)
  expect(actions.filter((it) => it !== 'user.signed-in')).toEqual([
    'service.claimed',
    'user.disabled',
    'user.enabled',
    'user.password-reset',
  ])
})

test('a link for a lost password is shown once, for the address that people use', async () => {
  const made = await run('user reset ann@example.com --hours 2 --url https://svc.example.com/')
  expect(made[0]).toBe(0)
  expect(made[1]).toMatch(
    /^user: +ann@example.com\nlink: +https:\/\/svc.example.com\/app\/reset-password#token=\S+\ngood until/,
  )
  const token = /#token=(\S+)/.exec(String(made[1]))?.[1] ?? ''
  const used = await service.ask('POST /_app/password-reset/use', { body: { token, password: first } })
  expect(used.status).toBe(201)
  expect(await run('user reset ann@example.com --url svc.example.com')).toEqual([
    2,
    expect.stringContaining('--url must be an address that begins with http:// or https://'),
  ])
  expect(await run('user reset nobody@example.com')).toEqual([2, 'error: There is no account for nobody@example.com.'])
})

test('an administrator creates one for a member whose account belongs to the organization', async () => {
  const [local] = await db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, 'local'))
  const tenant = local?.id ?? ''
  await addMember(db, tenant, await addUser(db, 'mia', 'a hash', { emailVerifiedAt: null, boundTo: tenant }), 'viewer')
  const [exit, text] = await run('member reset-password mia@example.com')
  expect([exit, String(text).replace(/svw_\w{43}/, 'TOKEN')]).toEqual([
    0,
    'member:     mia@example.com\nlink:       /app/reset-password#token=TOKEN\ngood until: TIME\n',
  ])
  expect(await run('member reset-password ann@example.com')).toEqual([2, expect.stringContaining('error: ')])
})

test('who is not there, and what cannot be done from afar', async () => {
  for (const line of ['user disable nobody@example.com', 'user enable owner@localhost'])
    expect(await run(line)).toEqual([2, `error: There is no account for ${line.split(' ')[2]}.`])
  expect(await run('user password nobody@example.com --password-stdin', `${first}\n`)).toEqual([
    2,
    expect.stringContaining('no account'),
  ])
  expect((await run('user password ann@example.com'))[1]).toContain('Missing password')
  expect((await run('--base-url http://127.0.0.1:1 user list'))[1]).toContain(
    'User accounts and API keys are managed on the machine that has the data',
  )
})

test('an address is verified by address or id; of several accounts the operator must name one', async () => {
  const made = await run('user create eve@example.com --password-stdin', `${first}\n`)
  expect(made[0]).toBe(0)
  const tenant = await addTenant(db, 'acme')
  const invited = await addUser(db, 'eve', null, { emailVerifiedAt: null, boundTo: tenant })
  const refusal = 'error: There are several accounts for eve@example.com: ID, ID.'
  for (const line of ['verify', 'disable', 'enable', 'password --password-stdin'])
    expect([line, await run(`user ${line} eve@example.com`, `${second}\n`)]).toEqual([line, [2, refusal]])
  expect(await run(`user verify ${invited}`)).toEqual([0, 'eve@example.com is verified for the account ID\n'])
  expect(await run(`user verify ${invited}`)).toEqual([0, 'eve@example.com is verified for the account ID\n'])
  const own = (await db.read.select().from(users)).find((it) => it.email === 'eve@example.com' && it.id !== invited)
  expect(await run(`user verify ${own?.id}`)).toEqual([
    2,
    'error: The email address eve@example.com is already verified for the account ID.',
  ])
  expect(await run(`user disable ${own?.id}`)).toEqual([0, 'eve@example.com is disabled\n'])
  const listed = (await run('user list'))[1]
  expect(listed).toContain('eve@example.com  yes       active    TIME  acme        ID  eve\n')
  expect(listed).toContain('eve@example.com  no        disabled  TIME  -           ID  eve\n')
  expect(await run('user verify owner@localhost')).toEqual([2, 'error: There is no account for owner@localhost.'])
  const actions = (await db.read.select().from(auditEvents)).filter((it) => it.action === 'user.email-verified')
  expect(actions.map((it) => it.targetId)).toEqual([invited])
})
