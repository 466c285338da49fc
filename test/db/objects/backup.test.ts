import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import backupCommands from '../../../commands/backup/index.ts'
import type { BackupFacts } from '../../../cli/backup/place.ts'
import { readContent } from '../../../db/content.ts'
import { collectObjects, holdOf } from '../../../db/objects/collect.ts'
import { openDatabase } from '../../../db/open.ts'
import { contents, objectRemovals, renderings, tenants } from '../../../db/tables.gen.ts'
import { noise, s3Objects } from '../../fixtures/objects.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'
import { type S3Server, startS3, storageVariables } from '../../fixtures/s3-server.ts'
import { keep, storedAt, tenantId } from '../../fixtures/stored.ts'

const { create, verify, restore } = backupCommands.commands
const registry = registryOf({ 'backup create': create, 'backup verify': verify, 'backup restore': restore })
const dayMs = 24 * 3_600_000

let folder = ''
let s3: S3Server
const all = new Map<string, Uint8Array<ArrayBuffer>>()
const place = (workspace: string, withObjects = true) => ({
  kind: 'sqlite' as const,
  path: join(folder, workspace, 'svc.db'),
  objects: withObjects ? s3Objects(s3) : null,
})
beforeAll(async () => {
  s3 = startS3()
  folder = mkdtempSync(join(tmpdir(), 'svc-backup-objects-'))
  const db = await openDatabase(place('from'))
  const row = { id: tenantId, slug: 'acme', name: 'Acme', settings: {}, createdAt: storedAt, updatedAt: storedAt }
  await db.inTransaction((tx) => tx.insert(tenants).values(row))
  for (const [seed, size] of [100, 30_000, 2_500_000].entries()) {
    const bytes = noise(size, seed)
    all.set(await keep(db, bytes), bytes)
  }
  const [digest = ''] = [...all.keys()]
  const object = [...s3.objects.keys()][0]!.slice(-64)
  s3.objects.set(`svc/renderings/${tenantId}/${object}`, [...s3.objects.values()][0]!)
  const compressed = new Uint8Array()
  const rendering = { tenantId, digest, kind: 'a', etag: '"x"', compressed, object, sizeBytes: 9, createdAt: storedAt }
  await db.inTransaction((tx) => tx.insert(renderings).values(rendering))
  await db.close()
})
afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

const svc = (line: string, env: Record<string, string> = { ...storageVariables(s3), SVC_STORAGE_CACHE_MB: '0' }) =>
  runCommand(line.split(' '), registry, { cwd: folder, env: { HOME: folder, ...env } })
const facts = async (line: string) => {
  const { exit, stdout, stderr } = await svc(`${line} --json`)
  const { data, error } = JSON.parse(stdout) as { data: BackupFacts | null; error: { code: string } | null }
  return { exit, stderr, data, code: error?.code ?? null }
}
const hold = async () => {
  const db = await openDatabase(place('from'))
  const found = await holdOf(db.read)
  await db.close()
  return found
}
const readAll = async (workspace: string, withObjects = true): Promise<void> => {
  const db = await openDatabase(place(workspace, withObjects))
  for (const [digest, bytes] of all) expect(await readContent(db, tenantId, digest)).toEqual(bytes)
  await db.close()
}

test('a backup refers to objects, is noted, and once verified keeps what it needs', async () => {
  const { data, stderr } = await facts('--workspace from backup create one.svcbackup')
  expect([data?.objects, stderr, await hold()]).toEqual([3, '', { backups: 1, verifiedMadeAt: null }])
  expect((await svc('--workspace from backup verify one.svcbackup')).stdout).toContain(
    'objects  3, in the object storage and not in this file\n',
  )
  expect(await hold()).toEqual({ backups: 1, verifiedMadeAt: data?.madeAt ?? '' })
  const db = await openDatabase(place('from'))
  const [large] = await db.read.select().from(contents).where(eq(contents.sizeBytes, 30_000))
  await db.inTransaction((tx) => tx.delete(contents).where(eq(contents.sizeBytes, 30_000)))
  expect(await collectObjects(db, Date.now() + 3 * dayMs)).toEqual({ removed: 0, kept: 0, waiting: 1 })
  await db.close()
  const restored = await facts('--workspace again backup restore one.svcbackup')
  expect([restored.exit, restored.stderr, restored.data?.missing]).toEqual([0, '', []])
  await readAll('again')
  const later = await openDatabase(place('from'))
  await later.inTransaction((tx) => tx.insert(contents).values(large!))
  await later.close()
})

test('verify needs the storage, and finds what is missing or damaged there', async () => {
  const unset = await svc('--workspace from backup verify one.svcbackup', {})
  expect([unset.exit, unset.stderr.split('\n')[0]]).toEqual([
    1,
    'error: The object storage is unavailable: the backup refers to 3 objects, and SVC_STORAGE_URL does not name where they are.',
  ])
  const [first = '', second = ''] = [...s3.objects.keys()].toSorted()
  const [one, two] = [s3.objects.get(first)!, s3.objects.get(second)!]
  s3.objects.delete(first)
  s3.objects.set(
    second,
    two.map((byte) => byte ^ 1),
  )
  const { exit, stderr } = await svc('--workspace from backup verify one.svcbackup')
  expect([exit, stderr.split('\n')[0]]).toEqual([
    1,
    `error: The rows of the backup ${join(folder, 'one.svcbackup')} are whole, but objects that they refer to are missing or damaged in the object storage: ${first.slice(4)}, ${second.slice(4)}.`,
  ])
  const restored = await facts('--workspace partly backup restore one.svcbackup')
  expect([restored.exit, restored.data?.missing]).toEqual([0, [first.slice(4)]])
  expect(restored.stderr).toBe(
    `warning: Objects are missing in the object storage, of ${first.slice(4)}. Import the same bytes again, or restore the objects from a copy of the bucket.\n`,
  )
  s3.objects.set(first, one)
  s3.objects.set(second, two)
})

test('with copies the file needs no storage', async () => {
  const { data } = await facts('--workspace from backup create --objects copy whole.svcbackup')
  expect(data?.objects).toBe(0)
  expect((await svc('backup verify whole.svcbackup', {})).exit).toBe(0)
  expect((await svc('--workspace rows backup restore whole.svcbackup', {})).exit).toBe(0)
  await readAll('rows', false)
  const db = await openDatabase(place('rows', false))
  expect((await db.read.select().from(renderings))[0]?.compressed).toEqual([...s3.objects.values()][0])
  expect(await db.read.select().from(objectRemovals)).toEqual([])
  await db.close()
})

test('a storage that is away refuses copies, and leaves no file', async () => {
  s3.fail('refused')
  expect(await facts('--workspace from backup create --objects copy away.svcbackup')).toMatchObject({
    exit: 1,
    code: 'storage-unavailable',
  })
  s3.fail(null)
  expect(await Bun.file(join(folder, 'away.svcbackup')).exists()).toBe(false)
})

test('a backup of another database is verified and not noted', async () => {
  await facts('--workspace again backup create other.svcbackup')
  expect((await facts('--workspace from backup verify other.svcbackup')).exit).toBe(0)
  expect((await hold()).backups).toBe(1)
})
