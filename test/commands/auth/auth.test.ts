import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import authCommands from '../../../commands/auth/index.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/open.ts'
import { makeKey } from '../../../server/auth/key-format.ts'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { startIdentityService } from '../../fixtures/identity-service.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const { status, tenants, whoami } = authCommands.commands

const folder = mkdtempSync(join(tmpdir(), 'svc-auth-'))
const registry = registryOf({ 'auth whoami': whoami, 'auth status': status, 'auth tenants': tenants })
let db: Database
let server: Bun.Server<undefined>
let key = ''

beforeAll(async () => {
  db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  const service = startIdentityService(db)
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => service.handle(request) })
  key = await addApiKey(db, await addTenant(db, 'acme'))
})

afterAll(async () => {
  await server.stop(true)
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (line: string, env: Record<string, string> = { SVC_API_KEY: key }) =>
  runCommand(['--base-url', server.url.origin, ...line.split(' ')], registry, { env })

test('who am I, with an API key; status is the same', async () => {
  const expected = {
    exit: 0,
    stdout: `service: ${server.url.origin}
as:      an API key
with:    the key ${key.slice(0, 12)}… of SVC_API_KEY

TENANT  ROLE    STATUS  PLAN  NAME
acme    member  active  team  Tenant acme
`,
    stderr: '',
  } as const
  expect(await at('auth whoami')).toEqual(expected)
  expect(await at('auth status')).toEqual(expected)
})

test('as data', async () => {
  const { stdout } = await at('auth tenants --json')
  expect(JSON.parse(stdout)).toMatchObject({
    command: 'auth tenants',
    ok: true,
    summary: { total: 1, limit: 50, offset: 0 },
    data: [{ slug: 'acme', role: 'member', status: 'active', plan: { slug: 'team' } }],
  })
  expect((await at('auth tenants --offset 1')).stdout).toBe('No organizations.\n')
})

test('without and with wrong credentials it is 2, and says what to do', async () => {
  const missing = await at('auth whoami', {})
  expect([missing.exit, missing.stdout, missing.stderr.split('\n')[0]]).toEqual([2, '', 'error: Not signed in.'])
  const unknown = makeKey('api')
  const wrong = await at('auth whoami', { SVC_API_KEY: unknown })
  expect([wrong.exit, wrong.stderr.includes('unknown key'), wrong.stderr.includes(unknown)]).toEqual([2, true, false])
})
