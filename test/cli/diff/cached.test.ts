/** Comparisons from the cache are those of a run without it, as long as nothing changed that decides them. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cache } from '../../../cli/cache/cache.ts'
import { FilesRecorder } from '../../../cli/input/files-read.ts'
import { compareTexts, watched } from '../../../cli/diff/cached.ts'
import type { Compared } from '../../../cli/diff/compared.ts'
import type { Settings } from '../../../cli/diff/settings.ts'
import { readWhole } from '../../../cli/input/document-side.ts'
import { readFileText, type SourceText } from '../../../cli/input/document-source.ts'

const cwd = mkdtempSync(join(tmpdir(), 'svc-diff-cached-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
const cacheAt = join(cwd, '.cache')
const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text)
const countEntries = (): number => {
  try {
    return readdirSync(cacheAt, { recursive: true, withFileTypes: true }).filter((it) => it.isFile()).length
  } catch {
    return 0
  }
}
const settings: Settings = {
  profile: 'standard',
  overrides: {},
  ignore: [],
  asOf: '2026-05-05',
  mode: undefined,
  scope: null,
}
let reads = 0
const compare = async (more: Partial<Settings> = {}, isCached = true, base?: SourceText): Promise<Compared> => {
  const cache = isCached ? new Cache({ folder: cacheAt, program: 'p' }) : null
  const text = await readFileText('head.yaml', cwd)
  const files = new FilesRecorder()
  const read = () => {
    reads++
    return readWhole(watched(text, files))
  }
  const compared = await compareTexts(
    base ?? (await readFileText('base.yaml', cwd)),
    { text, read, files },
    { ...settings, ...more },
    cache,
  )
  await cache?.close()
  return compared
}

const api = (type: string, more = ''): string => `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      operationId: list
      parameters: [{name: limit, in: query, schema: {type: ${type}}}]
      responses:
        '200': {$ref: 'parts.yaml#/ok'}
${more}`

beforeEach(() => {
  rmSync(cacheAt, { recursive: true, force: true })
  write('base.yaml', api('[integer, string]'))
  write('head.yaml', api('integer'))
  write('parts.yaml', 'ok: {description: All pets}\n')
  reads = 0
})

test('an unchanged pair has the same result, and no text is parsed', async () => {
  const plain = await compare({}, false)
  expect(plain.result.changes.length).toBeGreaterThan(0)
  reads = 0
  expect(await compare()).toEqual(plain)
  expect([countEntries(), reads]).toEqual([1, 1])
  expect(await compare()).toEqual(plain)
  expect([countEntries(), reads]).toEqual([1, 1])
})

test('settings, texts and referenced files decide the result', async () => {
  const first = await compare()
  for (const more of [
    { profile: 'strict' as const },
    { asOf: '2026-05-06' },
    { overrides: { 'operation-removed': 'docs-only' as const } },
    { ignore: [{ match: 'x', reason: 'y' }] },
    { scope: { paths: ['/pets'], operations: [], tags: [] } },
  ]) {
    const before = countEntries()
    await compare(more)
    expect([more, countEntries() - before]).toEqual([more, 1])
  }
  write('parts.yaml', 'ok: {description: Every pet}\n')
  reads = 0
  expect(await compare()).toEqual(await compare({}, false))
  write('head.yaml', api('string'))
  const other = await compare()
  expect(other).toEqual(await compare({}, false))
  expect(other.result.changes).not.toEqual(first.result.changes)
})

test('what is at an address is compared each time; numbers that no double holds are the same from the cache', async () => {
  const far = { ...(await readFileText('base.yaml', cwd)), place: 'https://example.com/base.yaml', files: null }
  await compare({}, true, { ...far, text: far.text.replace("{$ref: 'parts.yaml#/ok'}", '{description: ok}') })
  expect(countEntries()).toBe(0)
  const limit = (value: string): string =>
    api('integer').replace('schema: {type: integer}', `schema: {type: integer, maximum: ${value}}`)
  write('base.yaml', limit('9007199254740993'))
  write('head.yaml', limit('9007199254740995'))
  const plain = await compare({}, false)
  expect(plain.result.changes.length).toBe(1)
  expect(plain.result.changes[0]?.message).toContain('9007199254740995')
  for (const _ of [1, 2]) expect(await compare()).toEqual(plain)
})
