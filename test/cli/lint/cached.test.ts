/** Findings from the cache are those of a run without it, as long as nothing changed that decides them. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cache } from '../../../cli/cache/cache.ts'
import { GuideTexts } from '../../../cli/cache/guide-texts.ts'
import { findGuide } from '../../../cli/guide/find.ts'
import { lintCached } from '../../../cli/lint/cached.ts'
import { lintFiles, type LintInvocation } from '../../../cli/lint/files.ts'
import { lintOptions } from '../../../cli/lint/options.ts'
import { defaultsOf } from '../../../cli/options.ts'
import { SvcError } from '../../../src/errors.ts'
import { lintTarget, type Linted } from '../../../cli/lint/outcome.ts'
import { readDocument, readDocumentsOf } from '../../../cli/input/documents.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

const cwd = mkdtempSync(join(tmpdir(), 'svc-lint-cached-'))
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
const cached = async (
  name: string,
  { guideDigest = 'g', chosen = false, program = 'p' } = {},
): Promise<Linted | null> => {
  const cache = new Cache({ folder: cacheAt, program })
  const linted = await lintCached(name, recommended.ruleset, {
    cache,
    guideDigest,
    chosen,
    cwd,
    globals: { baseUrl: undefined, root: undefined },
    overlays: [],
    warn: () => {},
  })
  await cache.close()
  return linted
}
const plainly = async (name: string): Promise<Linted> => {
  const around = { cwd, io: {} as never, globals: { root: undefined } }
  const document = await readDocument(name, around)
  const documents = await readDocumentsOf(document, around)
  return lintTarget({ document, documents }, recommended.ruleset, { chosen: false })
}
/** Everything but the document itself. */
const resultOf = ({ findings, grade, readable, skipped, matched, suppressions }: Linted) =>
  JSON.stringify({ findings, grade, readable, skipped, matched: [...matched], suppressions: [...suppressions] })

const api = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0} # svc-ignore info-contact
paths:
  /pets:
    get:
      responses:
        '200': {$ref: 'parts.yaml#/ok'}
        '404': {$ref: 'missing.yaml#/none'}
`
const parts = 'ok: {description: All pets, x-lint-ignore: some-rule}\n'

beforeEach(() => {
  rmSync(cacheAt, { recursive: true, force: true })
  rmSync(join(cwd, 'missing.yaml'), { force: true })
  write('api.yaml', api)
  write('parts.yaml', parts)
})

test('an unchanged document has the same result, and its text is not parsed', async () => {
  const plain = await plainly('api.yaml')
  const first = (await cached('api.yaml')) as Linted
  expect(countEntries()).toBe(1)
  const second = (await cached('api.yaml')) as Linted
  expect(countEntries()).toBe(1)
  expect([resultOf(first), resultOf(second)]).toEqual([resultOf(plain), resultOf(plain)])
  expect([...(second.reach ?? [])]).toEqual([...(first.reach ?? [])])
  expect(second.document.text).toBe(api)
  expect(second.document.locate(['info'])).toEqual(plain.document.locate(['info']))
  expect(second.document.format).toEqual(plain.document.format)
  expect(second.document.keysInOrder([])).toEqual(['openapi', 'info', 'paths'])
})

test('whatever decides the findings makes another entry', async () => {
  const entries = async (act: () => Promise<unknown>): Promise<number> => {
    const before = countEntries()
    await act()
    return countEntries() - before
  }
  await cached('api.yaml')
  expect(await entries(() => cached('api.yaml'))).toBe(0)
  expect(await entries(() => cached('api.yaml', { guideDigest: 'h' }))).toBe(1)
  expect(await entries(() => cached('api.yaml', { chosen: true }))).toBe(1)
  expect(await entries(() => cached('api.yaml', { program: 'q' }))).toBe(1)
  expect(await entries(() => cached('./api.yaml'))).toBe(1)
  write('copy.yaml', api)
  expect(await entries(() => cached('copy.yaml'))).toBe(1)
  write('api.yaml', `${api}# a comment\n`)
  expect(await entries(() => cached('api.yaml'))).toBe(1)
})

test('a referenced file that changes, appears or goes away changes the result', async () => {
  const now = async (): Promise<string> => resultOf((await cached('api.yaml')) as Linted)
  const check = async (): Promise<string> => {
    const result = await now()
    expect(result).toBe(resultOf(await plainly('api.yaml')))
    // And once more, from the cache.
    expect(await now()).toBe(result)
    return result
  }
  const results = [await check()]
  write('parts.yaml', 'ok: {}\n')
  results.push(await check())
  write('missing.yaml', 'none: {description: Not there}\n')
  results.push(await check())
  rmSync(join(cwd, 'parts.yaml'))
  results.push(await check())
  write('parts.yaml', parts)
  rmSync(join(cwd, 'missing.yaml'))
  expect(await check()).toBe(results[0] as string)
  expect(new Set(results).size).toBe(4)
})

test('what is not a file of this machine is left to the caller', async () => {
  for (const name of ['-', 'https://example.com/api.yaml', 'shop@1.0.0', 'none.yaml', '.'])
    expect([name, await cached(name)]).toEqual([name, null])
  expect(countEntries()).toBe(0)
})

test('the digest of a guide has all of its texts, and there is none where programs take part', async () => {
  const document = (text: string, source = 'guide.yaml') => parseDocument(text, { source })
  const digest = async (text: string, found: Awaited<ReturnType<Parameters<GuideTexts['loader']>[0]>>) => {
    const texts = new GuideTexts()
    texts.add(document(text))
    await texts.loader(async () => found)('other', 'guide.yaml')
    return texts.digest
  }
  const other = { document: document('rules: {}', 'other.yaml') }
  const all = [
    await digest('rules: {}', null),
    await digest('rules: {a: off}', null),
    await digest('rules: {}', { refused: 'it is a program' }),
    await digest('rules: {}', other),
    await digest('rules: {}', { document: document('rules: {b: off}', 'other.yaml') }),
  ]
  expect(all.every((it) => typeof it === 'string')).toBe(true)
  expect(new Set(all).size).toBe(5)
  expect(await digest('rules: {}', null)).toBe(all[0])
  expect(await digest('rules: {}', { ...other, functions: new Map() })).toBeUndefined()
  const texts = new GuideTexts()
  const functions = texts.functions(
    async (names) => new Map(names.map(({ name }) => [name, name === 'run' ? () => () => [] : 'off'])),
  )
  await functions([{ name: 'skipped' }], '.', 'guide.yaml')
  expect(texts.digest).toBeString()
  await functions([{ name: 'run' }], '.', 'guide.yaml')
  expect(texts.digest).toBeUndefined()
})

test('runs with and without the cache report the same, whatever the document is', async () => {
  write('types.yaml', api.replace("'parts.yaml#/ok'", "'svc:core/Money'"))
  write('far.yaml', api.replace("'parts.yaml#/ok'", "'https://types.example.com/v1/types/core/Money'"))
  write('other.yaml', 'a: 1\n')
  write('broken.yaml', 'a: [\n')
  write('guide.yaml', 'rules: {no-x: {given: $.x, formats: [oas2], severity: error, then: {function: falsy}}}\n')
  const around = (baseUrl: string | undefined, guide: string | undefined) =>
    ({
      args: { files: [] },
      options: { ...defaultsOf(lintOptions), guide },
      given: new Set(),
      globals: { baseUrl },
      io: { log: { warn: () => undefined } },
      env: { HOME: cwd },
      cwd,
      connection: () => Promise.reject(new SvcError('tenant-not-found', {} as never)),
    }) as unknown as LintInvocation
  const files = ['api.yaml', 'types.yaml', 'far.yaml', 'other.yaml', 'broken.yaml']
  const run = async (file: string, cache: Cache | null, baseUrl?: string, guide?: string): Promise<string> => {
    const invocation = around(baseUrl, guide)
    const result = await lintFiles([file], await findGuide(guide, invocation), invocation, cache).then(
      ({ all }) => all.map(resultOf).join('\n'),
      (error: { code?: string }) => `refused: ${error.code}`,
    )
    await cache?.close()
    return result
  }
  for (const guide of [undefined, 'guide.yaml'])
    for (const baseUrl of [undefined, 'https://types.example.com'])
      for (const file of files) {
        const plain = await run(file, null, baseUrl, guide)
        for (const _ of [1, 2]) {
          const cache = new Cache({ folder: cacheAt, program: 'p' })
          expect([file, baseUrl, guide, await run(file, cache, baseUrl, guide)]).toEqual([file, baseUrl, guide, plain])
        }
      }
  expect(countEntries()).toBe(14)
})
