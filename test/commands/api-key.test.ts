/** API keys on the machine that holds the data, beside a service on the same workspace. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { openDatabase } from '../../db/open.ts'
import { auditEvents } from '../../db/tables.gen.ts'
import type { ApiKeyRecord } from '../../src/api/application.ts'
import { addTenant } from '../fixtures/accounts.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { startService } from '../fixtures/service.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-api-key-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (...words: string[]) => {
  const { exit, stdout, stderr } = await runCommand(words, registry, { env: { SVC_WORKSPACE: folder }, cwd: folder })
  return { exit, stdout, said: stderr.split('\n')[0] ?? '' }
}
const dataOf = (stdout: string): unknown => (JSON.parse(stdout) as { data: unknown }).data

test('keys are created, listed, used and deleted without a browser, and the audit trail has it', async () => {
  expect((await run('key', 'api', 'list')).stdout).toBe('No API keys. Create one: svc key api create NAME\n')
  expect((await run('--tenant', 'nope', 'key', 'api', 'list')).said).toBe('error: There is no organization "nope".')
  const created = await run(
    'key',
    'api',
    'create',
    'pipeline',
    '--scope',
    'lint:read',
    '--scope',
    'diff:read',
    '--json',
  )
  const made = dataOf(created.stdout) as ApiKeyRecord
  expect([created.exit, made.name, made.scopes, made.expires_at]).toEqual([
    0,
    'pipeline',
    ['diff:read', 'lint:read'],
    null,
  ])
  const whole = dataOf(
    (await run('key', 'api', 'create', 'all', '--expires-in', '30', '--json')).stdout,
  ) as ApiKeyRecord
  expect([whole.scopes, typeof whole.expires_at]).toEqual([['*'], 'string'])
  const listed = dataOf((await run('key', 'api', 'list', '--json')).stdout) as ApiKeyRecord[]
  expect(listed.map(({ name, key, status }) => [name, key, status])).toEqual([
    ['all', undefined, 'active'],
    ['pipeline', undefined, 'active'],
  ])

  const db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  const { service } = await startService(db)
  try {
    const ask = async (key: string | undefined) =>
      (
        await service.handle(
          new Request('http://localhost/v1/tenants/local/projects', { headers: { 'x-api-key': key ?? '' } }),
        )
      ).status
    // The other key may compare and lint only.
    expect([await ask(whole.key), await ask(made.key)]).toEqual([200, 403])
    const gone = await run('key', 'api', 'delete', whole.prefix)
    expect([gone.exit, gone.stdout]).toEqual([0, `Deleted all (${whole.prefix})\n`])
    expect(await ask(whole.key)).toBe(401)
    expect((await run('key', 'api', 'delete', whole.id)).said).toContain(whole.id)
    const trail = await db.read.select().from(auditEvents)
    expect(trail.map(({ action, actorKind }) => `${actorKind} ${action}`).toSorted()).toEqual([
      'system api-key.created',
      'system api-key.created',
      'system api-key.deleted',
    ])
    await addTenant(db, 'acme')
    expect((await run('--tenant', 'acme', 'key', 'api', 'list')).stdout).toBe(
      'No API keys. Create one: svc key api create NAME\n',
    )
  } finally {
    await service.stop()
    await db.close()
  }
})

test('what cannot be a key is refused with what to do', async () => {
  const refusals = [
    ['create', ' '],
    ['create', 'x', '--scope', 'write'],
    ['create', 'x', '--expires-in', '0'],
  ]
  for (const words of refusals) expect([words, (await run('api-key', ...words)).exit]).toEqual([words, 2])
  expect((await run('--base-url', 'http://localhost:1', 'key', 'api', 'list')).said).toContain(
    'are managed on the machine that has the data',
  )
})
