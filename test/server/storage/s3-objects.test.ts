import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectName, sha256Of } from '../../../db/objects/store.ts'
import { assertStorage, tryStorage } from '../../../db/objects/probe.ts'
import { CachedObjects } from '../../../server/storage/cached-objects.ts'
import { noise, refused, s3Objects } from '../../fixtures/objects.ts'
import { type S3Server, startS3 } from '../../fixtures/s3-server.ts'

const tenantId = '01a1fdb6-5607-74ce-8102-e0af632fd4cf'
const named = (bytes: Uint8Array): ObjectName => ({ kind: 'contents', tenantId, sha256: sha256Of(bytes) })
const bytes = noise(50_000, 7)
const name = named(bytes)
const key = `svc/contents/${tenantId}/${name.sha256}`

let s3: S3Server
let folder: string
beforeEach(() => {
  s3 = startS3()
  folder = mkdtempSync(join(tmpdir(), 'svc-objects-'))
})
afterEach(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('objects are put, read, measured, listed and removed, each below its organization', async () => {
  const objects = s3Objects(s3)
  expect([await objects.get(name), await objects.sizeOf(name)]).toEqual([null, null])
  await objects.put(name, bytes)
  expect([...s3.objects.keys()]).toEqual([key])
  expect(await objects.get(name)).toEqual(bytes)
  expect(await objects.sizeOf(name)).toBe(50_000)
  s3.objects.set('svc/another/thing', bytes)
  s3.objects.set('elsewhere', bytes)
  const modifiedAt = s3.modified.get(key)!
  expect(await Array.fromAsync(objects.list())).toEqual([{ name, sizeBytes: 50_000, modifiedAt }])
  await objects.remove(name)
  await objects.remove(name)
  expect([...s3.objects.keys()]).toEqual(['svc/another/thing', 'elsewhere'])
})

test('a list is read to its end', async () => {
  const objects = s3Objects(s3)
  const all = Array.from({ length: 2500 }, (_, n) => n.toString(16).padStart(64, '0'))
  for (const sha256 of all) s3.objects.set(`svc/renderings/${tenantId}/${sha256}`, new Uint8Array(1))
  const listed = await Array.fromAsync(objects.list())
  expect(listed.map((it) => it.name.sha256)).toEqual(all)
  expect(s3.requests).toEqual(['GET ', 'GET ', 'GET '])
})

test.each(['503', 'cut'] as const)('%s is repeated, and an object that comes after it is right', async (fault) => {
  const objects = s3Objects(s3)
  await objects.put(name, bytes)
  s3.fail(fault, 2)
  expect(await objects.get(name)).toEqual(bytes)
  expect(s3.requests.length).toBe(4)
})

test('where it stays away, one error says so, and those who ask in the next second do not wait', async () => {
  const objects = s3Objects(s3)
  s3.fail('503')
  const away = { reason: 'requests fail (SlowDown)', retry_after: 5 }
  expect(await refused(objects.get(name))).toEqual(['storage-unavailable', away])
  expect(s3.requests.length).toBe(4)
  expect(await refused(objects.put(name, bytes))).toEqual([
    'storage-unavailable',
    { reason: 'it did not answer a moment ago', retry_after: 5 },
  ])
  expect(s3.requests.length).toBe(4)
  s3.fail(null)
  await Bun.sleep(1050)
  await objects.put(name, bytes)
  expect(await objects.get(name)).toEqual(bytes)
})

test('a request that hangs ends at its deadline', async () => {
  const objects = s3Objects(s3, 300)
  s3.fail('slow')
  const begin = performance.now()
  expect(await refused(objects.sizeOf(name))).toEqual([
    'storage-unavailable',
    { reason: 'it did not answer within 0 seconds', retry_after: 5 },
  ])
  expect(performance.now() - begin).toBeLessThan(2000)
})

test('what another attempt does not change is not repeated', async () => {
  s3.fail('refused')
  expect(await refused(s3Objects(s3).get(name))).toEqual([
    'storage-unavailable',
    { reason: 'it refuses requests (AccessDenied)', retry_after: 5 },
  ])
  expect(s3.requests.length).toBe(1)
})

test('a service that is not there is unavailable, not a fault', async () => {
  const objects = s3Objects({ url: 'http://127.0.0.1:1', bucket: 'bucket' })
  const [code] = (await refused(objects.get(name))) as [string]
  expect(code).toBe('storage-unavailable')
})

test('wrong bytes are asked for once more and never answered', async () => {
  const objects = s3Objects(s3)
  await objects.put(name, bytes)
  s3.fail('wrong-bytes', 1)
  expect(await objects.get(name)).toEqual(bytes)
  s3.fail('wrong-bytes')
  expect(await refused(objects.get(name))).toEqual(['document-damaged', { digest: `sha256:${name.sha256}` }])
})

test('the probe asks for what is not there; the trial puts, reads, measures and removes', async () => {
  const objects = s3Objects(s3)
  await assertStorage(objects)
  expect(await tryStorage(objects)).toBeNull()
  const asked = s3.requests.map((it) => it.split(' ')[0])
  expect([asked, s3.objects.size]).toEqual([['HEAD', 'PUT', 'GET', 'HEAD', 'DELETE'], 0])
  s3.fail('missing')
  expect(await tryStorage(objects)).toBe('an object that was put is not there')
})

const filesIn = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name))

test('a copy is read without the store; one that was changed is read again from it', async () => {
  const objects = new CachedObjects(s3Objects(s3), folder, 1_000_000)
  await objects.put(name, bytes)
  expect(await objects.get(name)).toEqual(bytes)
  expect(s3.requests).toEqual([`PUT ${key}`])
  const [file = ''] = filesIn()
  expect([filesIn().length, statSync(file).mode & 0o777]).toEqual([1, 0o600])
  writeFileSync(file, bytes.subarray(1))
  expect(await objects.get(name)).toEqual(bytes)
  expect(s3.requests).toEqual([`PUT ${key}`, `GET ${key}`])
  expect(new Uint8Array(readFileSync(file))).toEqual(bytes)
  // Who checks the store is not answered by a copy.
  s3.objects.delete(key)
  expect([await objects.get(name, true), await objects.get(name)]).toEqual([null, bytes])
  await objects.remove(name)
  expect(filesIn()).toEqual([])
})

test('copies stay below their size, the first written go first, also those of an earlier process', async () => {
  const all = [1, 2, 3, 4].map((seed) => noise(30_000, seed))
  const first = new CachedObjects(s3Objects(s3), folder, 100_000)
  for (const one of all.slice(0, 3)) {
    await first.put(named(one), one)
    await Bun.sleep(15)
  }
  const second = new CachedObjects(s3Objects(s3), folder, 100_000)
  const [, , , last = bytes] = all
  await second.put(named(last), last)
  const kept = filesIn().map((it) => it.slice(-64))
  expect(kept.toSorted()).toEqual(
    all
      .slice(1)
      .map((one) => sha256Of(one))
      .toSorted(),
  )
  // What is larger than all of it is not kept.
  const huge = noise(100_001, 9)
  await second.put(named(huge), huge)
  expect(filesIn().length).toBe(3)
})

test('a folder that cannot be written to stops nobody', async () => {
  writeFileSync(join(folder, 'file'), '')
  const objects = new CachedObjects(s3Objects(s3), join(folder, 'file'), 1_000_000)
  await objects.put(name, bytes)
  expect(await objects.get(name)).toEqual(bytes)
})
