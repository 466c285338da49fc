import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import backupCommands from '../../../commands/backup/index.ts'
import type { BackupFacts } from '../../../cli/backup/place.ts'
import { openDatabase } from '../../../db/open.ts'
import { prepareContent, storeContent } from '../../../db/content.ts'
import { contents, tenants } from '../../../db/tables.gen.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const { create, restore, verify } = backupCommands.commands

const registry = registryOf({ 'backup create': create, 'backup verify': verify, 'backup restore': restore })
const at = '2026-05-05T00:00:00.000Z'
const row = { id: 't', slug: 't', name: 'Tenant', settings: {}, createdAt: at, updatedAt: at }

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-backup-command-'))
  const db = await openDatabase({ kind: 'sqlite', path: join(folder, 'from', 'svc.db') })
  await db.inTransaction((tx) => tx.insert(tenants).values(row))
  await db.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const svc = (line: string, env: Record<string, string> = {}) =>
  runCommand(line.split(' '), registry, { cwd: folder, env: { HOME: folder, ...env } })
const answer = (stdout: string) => JSON.parse(stdout) as { data: BackupFacts; error: { code: string } | null }

test('create, verify and restore round trip, each telling the same facts', async () => {
  const created = await svc('--workspace from --json backup create all.svcbackup')
  expect({ exit: created.exit, stderr: created.stderr }).toEqual({ exit: 0, stderr: '' })
  const facts = answer(created.stdout).data
  expect(facts).toMatchObject({ file: join(folder, 'all.svcbackup'), source: 'sqlite', rows: 1 })
  expect(answer((await svc('backup verify all.svcbackup --json')).stdout).data).toEqual(facts)
  expect(answer((await svc('--workspace to backup restore all.svcbackup --json')).stdout).data).toEqual(facts)
  const db = await openDatabase({ kind: 'sqlite', path: join(folder, 'to', 'svc.db') })
  expect(await db.read.select().from(tenants)).toEqual([row])
  await db.close()
})

test('a person reads what was done, where and of what', async () => {
  const { stdout } = await svc('--workspace from backup create text.svcbackup')
  expect(
    stdout
      .replace(/\d{4}-\S+Z/, 'TIME')
      .replace(/\d+ tables/, 'N tables')
      .replace(/[0-9a-f]{64}/, 'DIGEST'),
  ).toBe(
    `Backed up ${join(folder, 'from')} to ${join(folder, 'text.svcbackup')}
made at  TIME
source   sqlite
rows     1 in N tables
digest   sha256:DIGEST
keys     not included: keep SVC_SECRET_KEY or secret.key apart; stored secrets cannot be read without them
`,
  )
})

test('without a name the file is named after the time', async () => {
  expect((await svc('--workspace from backup create')).exit).toBe(0)
  expect(readdirSync(folder).filter((name) => /^svc-\d{8}T\d{6}Z\.svcbackup$/.test(name))).toHaveLength(1)
})

test('every refusal exits with 2 and its code', async () => {
  writeFileSync(join(folder, 'not.svcbackup'), 'text')
  await svc('--workspace from backup create again.svcbackup')
  const refusals: [string, string, Record<string, string>?][] = [
    ['backup verify none.svcbackup', 'backup-unusable'],
    ['backup verify not.svcbackup', 'backup-unusable'],
    ['--workspace from backup create again.svcbackup', 'backup-unusable'],
    ['--workspace from backup restore again.svcbackup', 'database-not-empty'],
    ['--workspace nowhere backup create x.svcbackup', 'workspace-unusable'],
    ['backup create x.svcbackup', 'usage', { SVC_BASE_URL: 'http://127.0.0.1:1' }],
  ]
  for (const [line, code, env] of refusals) {
    const { exit, stdout } = await svc(`--json ${line}`, env)
    expect([line, exit, answer(stdout).error?.code]).toEqual([line, 2, code])
  }
  const remote = 'postgres://me:hunter2@127.0.0.1:1/db'
  const { exit, stdout, stderr } = await svc('--json backup create x.svcbackup', { SVC_DATABASE_URL: remote })
  expect([exit, answer(stdout).error?.code]).toEqual([1, 'database-unavailable'])
  expect(stdout + stderr).not.toContain('hunter2')
})

test('a document that was damaged before is in the backup, named by create and restore, and verify ends with 1', async () => {
  const place = { kind: 'sqlite', path: join(folder, 'damaged', 'svc.db') } as const
  const db = await openDatabase(place)
  await db.inTransaction((tx) => tx.insert(tenants).values(row))
  const bytes = new Uint8Array(2_500_000).map((_, n) => Math.imul(n, n) >>> 11)
  const damaged = await prepareContent(db, 't', bytes)
  const whole = await prepareContent(db, 't', new TextEncoder().encode('whole'))
  const digest = await db.inTransaction((tx) => storeContent(tx, damaged, at))
  await db.inTransaction((tx) => storeContent(tx, whole, at))
  await db.inTransaction((tx) =>
    tx
      .update(contents)
      .set({ compressed: new Uint8Array(20) })
      .where(eq(contents.digest, digest)),
  )
  await db.close()
  const said = `warning: 1 document in it changed after being stored, and cannot be read: ${digest}. Import the same bytes again, or keep an older backup that has them.\n`
  const created = await svc('--workspace damaged --json backup create damaged.svcbackup')
  expect([created.exit, created.stderr, answer(created.stdout).data.damaged]).toEqual([0, said, [digest]])
  const verified = await svc('backup verify damaged.svcbackup')
  expect([verified.exit, verified.stderr.split('\n')[0]]).toEqual([
    1,
    `error: The backup ${join(folder, 'damaged.svcbackup')} has every row that was backed up, but documents in it changed before that, and cannot be read: ${digest}.`,
  ])
  const restored = await svc('--workspace again --json backup restore damaged.svcbackup')
  expect([restored.exit, restored.stderr]).toEqual([0, said])
})
