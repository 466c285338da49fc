/** The same commands on the local workspace and on a service: nobody can tell from what they print which it was. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { openDatabase } from '../../../db/open.ts'
import { createService, type Service } from '../../../server/app.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import type { Database } from '../../../db/database.ts'
import { addApiKey } from '../../fixtures/accounts.ts'
import { runCommand, type Outcome } from '../../fixtures/run-command.ts'

const top = mkdtempSync(join(tmpdir(), 'svc-remote-'))
let db: Database
let service: Service
let server: Bun.Server<undefined>
let key = ''

beforeAll(async () => {
  cpSync(join(import.meta.dir, '../../golden/main-job'), join(top, 'files'), { recursive: true })
  db = await openDatabase({ kind: 'sqlite', path: join(top, 'remote', 'svc.db') })
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
  key = await addApiKey(db, local.tenantId)
})
afterAll(async () => {
  await server.stop(true)
  await service.stop()
  await db.close()
  rmSync(top, { recursive: true, force: true })
})

const settle = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/"(user|api-key):ID"/g, '"CALLER"')
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d+Z)?/g, 'TIME')
    // Far away a request has a number to ask about.
    .replace(', request ID', '')
    .replace('"requestId": "ID"', '"requestId": null')

const runIn = async (line: string, env: Readonly<Record<string, string>>): Promise<Outcome> => {
  const { exit, stdout, stderr } = await runCommand(line.split(' '), registry, { env, cwd: join(top, 'files') })
  return { exit, stdout: settle(stdout), stderr: settle(stderr) }
}

const lines: readonly (readonly [line: string, exit: number])[] = [
  ['project list', 0],
  ['project show pets', 2],
  ['import openapi one.yaml --publish public --progress none', 0],
  ['import auto two.yaml --json --progress none', 0],
  ['import auto two.yaml --project-slug ../x', 2],
  ['version list pets --json', 0],
  ['version show pets 2.0.0', 0],
  ['version show pets 3.0.0', 2],
  ['diff pets@1.0.0 pets@2.0.0 --fail-on breaking', 4],
  ['version publish pets 2.0.0 --json', 0],
  ['version publish pets 2.0.0', 2],
  ['project list --json', 0],
]

test('what a command prints is the same near and far', async () => {
  const near = { SVC_WORKSPACE: join(top, 'near') }
  const far = { SVC_BASE_URL: server.url.origin, SVC_API_KEY: key }
  for (const [line, exit] of lines) {
    const [here, there] = [await runIn(line, near), await runIn(line, far)]
    expect({ line, ...there }).toEqual({ line, ...here })
    expect({ line, exit: there.exit }).toEqual({ line, exit: exit as Outcome['exit'] })
  }
}, 60_000)

test('without a key, with a wrong one, and with nobody there', async () => {
  const base = { SVC_BASE_URL: server.url.origin }
  expect((await runIn('project list --json', base)).exit).toBe(2)
  const wrong = await runIn('project list', { ...base, SVC_API_KEY: `${key.slice(0, -1)}!` })
  expect([wrong.exit, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('(credentials-invalid')
  const nobody = await runIn('--tenant local project list', { SVC_BASE_URL: 'http://127.0.0.1:1' })
  expect([nobody.exit, nobody.stderr.includes('did not answer: connection refused')]).toEqual([1, true])
})
