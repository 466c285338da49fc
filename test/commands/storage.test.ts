import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import doctor from '../../commands/doctor.ts'
import storageCommands from '../../commands/storage/index.ts'
import { openDatabase } from '../../db/open.ts'
import { contents, objectRemovals, tenants } from '../../db/tables.gen.ts'
import { noise } from '../fixtures/objects.ts'
import { registryOf, runCommand } from '../fixtures/run-command.ts'
import { type S3Server, startS3, storageVariables } from '../fixtures/s3-server.ts'
import { keep, storedAt, tenantId } from '../fixtures/stored.ts'

const { status, move, check, collect } = storageCommands.commands
const registry = registryOf({
  'storage status': status,
  'storage move': move,
  'storage check': check,
  'storage collect': collect,
  doctor,
})

let folder = ''
let s3: S3Server
const target = () => ({ kind: 'sqlite', path: join(folder, '.svc', 'svc.db') }) as const
beforeAll(async () => {
  s3 = startS3()
  folder = mkdtempSync(join(tmpdir(), 'svc-storage-command-'))
  const db = await openDatabase(target())
  const row = { id: tenantId, slug: 'acme', name: 'Acme', settings: {}, createdAt: storedAt, updatedAt: storedAt }
  await db.inTransaction((tx) => tx.insert(tenants).values(row))
  for (const [seed, size] of [100, 30_000, 40_000].entries()) await keep(db, noise(size, seed))
  await db.close()
})
afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

const svc = (line: string, env: Record<string, string> = storageVariables(s3)) =>
  runCommand(line.split(' '), registry, { cwd: folder, env: { HOME: folder, ...env } })
const data = async (line: string): Promise<unknown> =>
  (JSON.parse((await svc(`${line} --json`)).stdout) as { data: unknown }).data

test('without a storage each command says what to set', async () => {
  const { exit, stderr } = await svc('storage status', {})
  expect([exit, stderr.split('\n')[0]]).toEqual([
    2,
    'error: No object storage is configured; set SVC_STORAGE_URL to s3://BUCKET/PREFIX',
  ])
})

test('documents move there, are checked, and move back', async () => {
  expect((await svc('storage status')).stdout).toBe(
    `storage    s3://bucket/svc/ at ${s3.url}
contents   3 in rows, 0 in the storage
renderings 0 in rows, 0 in the storage
uploads    0 in rows, 0 in the storage
queued     0 objects to collect
backups    0 with objects; newest verified: none
`,
  )
  expect((await svc('storage move --to store')).stdout).toBe('Moved 2 of 2 to the store, 70.0 kB\n')
  expect(await data('storage check')).toEqual({
    referred: 2,
    bytes: [...s3.objects.values()].reduce((sum, it) => sum + it.byteLength, 0),
    compared: 2,
    missing: [],
    damaged: [],
    orphans: 0,
    orphanBytes: 0,
  })
  expect(await data('storage move --to database')).toMatchObject({
    to: 'database',
    moved: 2,
    left: 0,
    isComplete: true,
  })
  expect(await data('storage status')).toMatchObject({ queued: 2 })
  expect(await data('storage move --to store')).toMatchObject({ moved: 2, total: 2 })
})

test('a check that finds something names it and ends with 1', async () => {
  const [first = '', second = ''] = [...s3.objects.keys()].toSorted()
  const whole = s3.objects.get(first)!
  s3.objects.delete(first)
  s3.objects.set(
    second,
    s3.objects.get(second)!.map((byte) => byte ^ 1),
  )
  const { exit, stdout } = await svc('storage check')
  expect(exit).toBe(1)
  expect(stdout.split('\n').slice(3)).toEqual([
    `missing   1 object, of ${first.slice('svc/'.length)}`,
    `damaged   1 object, of ${second.slice('svc/'.length)}`,
    'Import the same bytes again under the same labels, or restore the objects from a copy of the bucket.',
    '',
  ])
  s3.objects.set(first, whole)
  s3.objects.set(
    second,
    s3.objects.get(second)!.map((byte) => byte ^ 1),
  )
  expect((await svc('storage check')).exit).toBe(0)
})

test('what lost its last reference is removed a day later', async () => {
  const db = await openDatabase(target())
  await db.inTransaction((tx) => tx.delete(contents).where(eq(contents.sizeBytes, 30_000)))
  expect(await data('storage collect')).toEqual({ queued: 0, removed: 0, kept: 0, waiting: 1 })
  await db.inTransaction((tx) => tx.update(objectRemovals).set({ queuedAt: storedAt }))
  await db.close()
  expect((await svc('storage collect')).stdout).toBe('Removed 1 object; 0 wait, 0 of them queued now\n')
  expect(s3.objects.size).toBe(1)
})

test('doctor puts, reads and removes an object, and says why where it cannot', async () => {
  const said = async (): Promise<string[]> =>
    (await svc('doctor')).stdout.split('\n').filter((line) => /^\w+ {2}storage /.test(line))
  s3.requests.length = 0
  const [line] = await said()
  expect(line).toMatch(/^pass {2}storage +s3:\/\/bucket\/svc\/ at http:\/\/127\.0\.0\.1:\d+ keeps and removes objects$/)
  expect(s3.requests.map((it) => it.split(' ')[0])).toEqual(['PUT', 'GET', 'HEAD', 'DELETE'])
  s3.fail('refused')
  const [failed] = await said()
  expect(failed).toMatch(
    /^fail {2}storage +s3:\/\/bucket\/svc\/ at \S+: The object storage is unavailable: it refuses requests \(AccessDenied\)\.$/,
  )
  s3.fail(null)
})
