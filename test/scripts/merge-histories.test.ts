/** Merges of histories: which are replayed, and that what a merge loses is counted. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../src/kernel/json.ts'
import { lossesOf } from '../../scripts/merge-histories/losses.ts'
import { planned } from '../../scripts/merge-histories/releases.ts'
import { replay } from '../../scripts/merge-histories/replay.ts'
import { mergesOf } from '../../scripts/merge-histories/repository.ts'

let folder: string
const git = (...words: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(['git', '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words], {
    cwd: folder,
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
}
const commit = (text: string): void => {
  writeFileSync(join(folder, 'api.yaml'), text)
  git('add', '.')
  git('commit', '-q', '-m', 'x')
}
const api = (summary: string, more = '', title = 'Shop'): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: 1.0.0 }\npaths:\n  /pets:\n    get:\n      summary: ${summary}\n      responses: { '200': { description: ok } }\n${more}`
const path = (name: string): string => `  /${name}: { get: { responses: { '200': { description: ok } } } }\n`
/** Two branches that part here, and their merge, whose content is that of the first. */
const merge = (mine: string, theirs: string): void => {
  git('checkout', '-q', '-b', 'side')
  commit(theirs)
  git('checkout', '-q', 'main')
  commit(mine)
  git('merge', '-q', '-s', 'ours', '-m', 'merge', 'side')
  git('branch', '-q', '-D', 'side')
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-histories-'))
  git('init', '-q', '-b', 'main')
  commit(api('All pets'))
  merge(api('All pets', path('cats')), api('All pets', path('dogs')))
  merge(api('Every pet', path('cats')), api('Pets', path('cats') + path('birds')))
  merge(api('Every pet', path('cats'), 'Store'), `${api('Every pet', path('cats'), 'Store')}# note\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the merge commits of a repository are replayed, newest first', () => {
  const { commits, leftOut, triples } = mergesOf(folder)
  expect([commits, leftOut, triples.map(({ path: file }) => file)]).toEqual([
    3,
    0,
    ['api.yaml', 'api.yaml', 'api.yaml'],
  ])
  expect(triples.map((it) => replay({ ...it, name: 'x' }))).toEqual([
    { name: 'x', outcome: 'same', conflicts: 0, linesConflict: false, losses: [], linesDiffer: false },
    { name: 'x', outcome: 'conflicts', conflicts: 1, linesConflict: true, losses: [], linesDiffer: false },
    { name: 'x', outcome: 'clean', conflicts: 0, linesConflict: true, losses: [], linesDiffer: false },
  ])
})

test('what is no document, and what one side alone changed, is no merge', () => {
  const of = (base: string, mine: string, theirs: string) =>
    replay({ name: 'x', path: 'a.yaml', base, mine, theirs }).outcome
  expect([of('a: 1', 'a: [', 'a: 2'), of('a: 1', 'a: 1 # same', 'a: 2'), of('a: 1', 'a: 2', 'a: 2')]).toEqual([
    'unreadable',
    'same',
    'same',
  ])
})

test('a change of a side that is in neither the merge nor a conflict is a loss', () => {
  const base = { list: [{ name: 'a', x: 1 }, { name: 'b' }], kept: true, old: {} }
  const mine = { list: [{ name: 'a', x: 1 }, { name: 'b' }], kept: true }
  const theirs = { list: [{ name: 'a', x: 2 }, { name: 'b' }, { name: 'c' }], kept: true, old: {} }
  const of = (merged: Json, conflicts: string[] = []) =>
    lossesOf({ base, mine, theirs, merged }, conflicts).map(({ fact }) => fact)
  const whole = { list: [{ name: 'a', x: 2 }, { name: 'b' }, { name: 'c' }], kept: true }
  expect(of(whole)).toEqual([])
  expect(of({ ...whole, list: [{ name: 'a', x: 2 }, { name: 'b' }] })).toEqual(['/list/*/name = "c"'])
  expect(of({ ...whole, list: [{ name: 'a', x: 1 }, { name: 'b' }, { name: 'c' }] })).toEqual([
    '/list/*/x = 1',
    '/list/*/x = 2',
  ])
  expect(of({ ...whole, list: [{ name: 'a', x: 1 }, { name: 'b' }, { name: 'c' }] }, ['/list/0/x'])).toEqual([])
  expect(lossesOf({ base, mine: { ...base, new: {} }, theirs: base, merged: base }, [])).toMatchObject([
    { fact: '/new = {}', base: 0, mine: 1, theirs: 0, merged: 0 },
  ])
  expect(of({ ...whole, invented: 'x' })).toEqual(['/invented = "x"'])
  const { kept: _, ...without } = whole
  expect(of(without)).toEqual(['/kept = true'])
})

test('what the other side changed of a component that one side renamed is under the new name', () => {
  const of = (name: string, text: string): Json => ({ definitions: { [name]: { text } }, it: `#/definitions/${name}` })
  const sides = { base: of('A', 'x'), mine: of('B', 'x'), theirs: of('A', 'y') }
  expect(lossesOf({ ...sides, merged: of('B', 'y') }, [])).toEqual([])
  expect(lossesOf({ ...sides, merged: of('B', 'x') }, []).map(({ fact }) => fact)).toEqual([
    '/definitions/A/text = "y"',
  ])
})

test('a server is known by its address, so that another one may say the same', () => {
  const of = (...urls: string[]): Json => ({ servers: urls.map((url) => ({ url, description: 'Test' })) })
  const sides = { base: of('/a'), mine: of(), theirs: of('/b') }
  expect(lossesOf({ ...sides, merged: of('/b') }, [])).toEqual([])
  expect(lossesOf({ ...sides, merged: of('/a') }, []).map(({ fact }) => fact)).toEqual([
    '/servers/url ~1a/url = "/a"',
    '/servers/url ~1a/description = "Test"',
    '/servers/url ~1b/url = "/b"',
    '/servers/url ~1b/description = "Test"',
  ])
})

test('the same change of both sides may be in a merge once or twice, and no less', () => {
  const of = (merged: Json) =>
    lossesOf({ base: ['z'], mine: ['z', 'a'], theirs: ['z', 'a'], merged }, []).map(
      ({ fact, merged: now }) => `${fact} ${now}`,
    )
  expect([of(['z', 'a']), of(['z', 'a', 'a']), of(['z']), of(['z', 'a', 'a', 'a'])]).toEqual([
    [],
    [],
    ['/* = "a" 0'],
    ['/* = "a" 3'],
  ])
})

test('lines that were maintained side by side are merged, and the newest releases picked', () => {
  const at = (version: string, day: number) => ({ version, at: `2024-01-${String(day).padStart(2, '0')}` })
  const releases = [
    at('1.0.0', 1),
    at('1.1.0', 2),
    at('2.0.0', 3),
    at('1.1.1', 6),
    at('2.1.0', 5),
    at('2.2.0', 7),
    at('2.3.0', 8),
    at('3.0.0', 9),
  ]
  expect(planned([...releases, at('3.0.1-beta.1', 10)], 3)).toEqual([
    { kind: 'lines', base: '1.1.0', mine: '2.1.0', theirs: '1.1.1' },
    { kind: 'pick', base: '2.2.0', mine: '2.1.0', theirs: '2.3.0' },
    { kind: 'pick', base: '2.1.0', mine: '2.0.0', theirs: '2.2.0' },
    { kind: 'pick', base: '1.1.0', mine: '1.0.0', theirs: '1.1.1' },
  ])
})
