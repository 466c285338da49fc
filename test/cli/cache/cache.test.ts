/** The cache of results: what is found again, what never is, and how it stays small. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cache, cacheFolder, digestOf, openCache } from '../../../cli/cache/cache.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-cache-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = (): string => join(root, String(++folders))
const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => join(it.parentPath, it.name))
  } catch {
    return []
  }
}

test('lists of texts with different borders have different digests', () => {
  const all = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], [], ['']].map((it) => digestOf(...it))
  expect(new Set(all).size).toBe(6)
  expect(digestOf('ü', 'b')).toBe(digestOf('ü', 'b'))
})

test('what was put is found by another process of the same program, and by no other program', async () => {
  const folder = newFolder()
  const cache = new Cache({ folder, program: 'one' })
  const key = cache.key('lint', 'a')
  expect(await cache.get(key)).toBeNull()
  cache.put(key, { list: [1, 'ü', null] })
  await cache.close()
  expect(await new Cache({ folder, program: 'one' }).get(key)).toEqual({ list: [1, 'ü', null] })
  expect(new Cache({ folder, program: 'two' }).key('lint', 'a')).not.toBe(key)
  expect(cache.key('lint', 'b')).not.toBe(key)
  const [file = ''] = filesIn(folder)
  expect(filesIn(folder).length).toBe(1)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('an entry that is not what was written is not there, and is written again', async () => {
  const folder = newFolder()
  const cache = new Cache({ folder, program: 'one' })
  const [key, other] = [cache.key('a'), cache.key('b')]
  cache.put(key, { a: 1 })
  cache.put(other, { b: 1 })
  await cache.close()
  const path = join(folder, 'v1', key.slice(0, 1), key.slice(1))
  const whole = readFileSync(path, 'utf8')
  const foreign = readFileSync(join(folder, 'v1', other.slice(0, 1), other.slice(1)), 'utf8')
  for (const broken of ['', 'x', whole.slice(0, -1), whole.replace('1', '2'), `${whole} `, foreign]) {
    writeFileSync(path, broken)
    expect([broken, await cache.get(key)]).toEqual([broken, null])
  }
  cache.put(key, { a: 2 })
  await cache.close()
  expect(await cache.get(key)).toEqual({ a: 2 })
})

test('processes that write the same entry at once leave one that can be read', async () => {
  const folder = newFolder()
  const all = Array.from({ length: 8 }, () => new Cache({ folder, program: 'one' }))
  const key = all[0]?.key('same') ?? ''
  all.forEach((it, index) => it.put(key, { index }))
  await Promise.all(all.map((it) => it.close()))
  expect(await all[0]?.get(key)).toEqual({ index: expect.any(Number) })
  expect(filesIn(folder).length).toBe(1)
})

test('the oldest entries are removed where there are too many; one that is too large is not kept', async () => {
  const folder = newFolder()
  // 1,000 bytes for each of the 16 folders; an entry has at most a quarter of that.
  const cache = new Cache({ folder, program: 'one', maxBytes: 16_000 })
  const inOne = Array.from({ length: 400 }, (_, at) => cache.key(String(at))).filter((it) => it.startsWith('a'))
  const [large = '', ...keys] = inOne.slice(0, 10)
  cache.put(large, 'x'.repeat(300))
  await cache.close()
  expect(filesIn(folder)).toEqual([])
  const stored: string[] = []
  for (const [at, key] of keys.entries()) {
    cache.put(key, 'x'.repeat(150))
    await cache.close()
    const path = join(folder, 'v1', 'a', key.slice(1))
    utimesSync(path, at, at)
    stored.push(path)
  }
  // Each has 169 bytes: the sixth and the eighth go beyond 1,000, and the oldest are removed until at most 750 are left.
  expect(filesIn(folder).toSorted()).toEqual(stored.slice(-5).toSorted())
  const left = join(folder, 'v1', 'a', 'left.1.tmp')
  writeFileSync(left, 'of a process that ended')
  utimesSync(left, 0, 0)
  cache.put(keys[0] ?? '', 'again')
  await cache.close()
  expect(filesIn(folder)).not.toContain(left)
})

test('a folder that cannot be written or read is a cache without entries', async () => {
  const folder = newFolder()
  writeFileSync(folder, 'a file')
  const cache = new Cache({ folder, program: 'one' })
  cache.put(cache.key('a'), 1)
  await cache.close()
  expect(await cache.get(cache.key('a'))).toBeNull()
  expect(readFileSync(folder, 'utf8')).toBe('a file')
})

test('it is in the cache folder of the user, and off where the program runs from its sources', async () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/x', HOME: '/h' }, 'linux')).toBe('/x/svc')
  expect(cacheFolder({ HOME: '/h' }, 'linux')).toBe('/h/.cache/svc')
  expect(cacheFolder({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Caches/svc')
  expect(cacheFolder({ HOME: '/h', LOCALAPPDATA: '/l' }, 'win32')).toBe(join('/l', 'svc', 'cache'))
  expect(await openCache({ env: { HOME: root }, options: { cache: true }, globals: { baseUrl: undefined } })).toBeNull()
  expect(
    await openCache({ env: { HOME: root }, options: { cache: false }, globals: { baseUrl: undefined } }),
  ).toBeNull()
})
