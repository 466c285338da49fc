/** What people read is plain English: scripts/words/list.ts has the words that may not occur, and the better ones. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { referencePages } from '../scripts/reference/pages.ts'
import { allowed } from '../scripts/words/list.ts'
import { excusesOf, occurrencesIn, patterns, programs } from '../scripts/words/scan.ts'

const root = join(import.meta.dir, '..')

const pathsOf = (globs: readonly string[]): string[] =>
  globs
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })])
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort()

test('texts, generated documents and docs have no avoided word', async () => {
  const used = new Set<number>()
  const found: string[] = []
  const files = pathsOf(patterns).map(async (path) => [path, await Bun.file(join(root, path)).text()] as const)
  const made = Object.entries(await referencePages()).map(([path, text]) => [`docs/${path}`, text] as const)
  for (const [path, source] of [...(await Promise.all(files)), ...made]) {
    for (const it of occurrencesIn(path, source)) {
      const excuses = excusesOf(it)
      for (const index of excuses) used.add(index)
      if (excuses.length === 0) found.push(`${it.path}:${it.line}: "${it.word}" → ${it.better}`)
    }
  }
  expect(found).toEqual([])
  // An entry that excuses nothing is out of date; every one gives its reason.
  expect(allowed.filter((it, index) => !used.has(index) || it.reason.length < 10)).toEqual([])
})

test('comments of programs have no avoided word', async () => {
  const found: string[] = []
  for (const path of pathsOf(programs))
    for (const it of occurrencesIn(path, await Bun.file(join(root, path)).text(), true))
      found.push(`${it.path}:${it.line}: "${it.word}" → ${it.better}`)
  expect(found).toEqual([])
})

test('words are found in comments, outside of code', () => {
  const words = (source: string) => occurrencesIn('src/a.ts', source, true).map((it) => it.word)
  expect(
    words("// It was told\nconst a = 'It was told'\n/** `told` of a tenant that fits */\n/* it\n * stands */"),
  ).toEqual(['told', 'stands'])
})

test('one thing has the singular: nothing that the program prints says "1 operations"', async () => {
  const nouns =
    'operations|findings|errors|warnings|hints|fields|parameters|versions|projects|rules|items|changes|files|documents|tools|revisions|consumers'
  const found: string[] = []
  for (const path of new Bun.Glob('test/golden/*/std*').scanSync({ cwd: root }))
    for (const line of (await Bun.file(join(root, path)).text()).split('\n'))
      if (new RegExp(`(?<!of )\\b1 (${nouns})\\b`).test(line)) found.push(`${path}: ${line}`)
  expect(found).toEqual([])
})

describeScan('a program', 'src/a.tsx', [
  ['const told = lies(nobody)', []],
  ["import { a } from './told of it/told.ts'", []],
  ["fail('This was told')", ['told']],
  ["fail('told')", []],
  ['const a = { told: 1 }\n// It was told and told', []],
  ['fail(`It is ${name} and\nwas told`)', ['told']],
  ['const a = <p title="It lies in b">told</p>', ['lies', 'told']],
  ['const a = <p className="w-fit told" title="It was told" />', ['told']],
  ["const it: 'told of x' | 'b' = b", ['told']],
  ['const a = /told of it/', []],
])
describeScan('a document', 'docs/a.md', [
  ['It was\ntold here', ['told']],
  ['`It was told` and [a](told-it.md)', []],
  ['```\nIt was told\n```\nIt stands', ['stands']],
])
describeScan('a text of any other kind', 'action.yml', [['summary: Lies', ['Lies']]])

function describeScan(what: string, path: string, cases: readonly (readonly [string, readonly string[]])[]): void {
  test(`words are found in ${what}`, () => {
    expect(cases.map(([source]) => occurrencesIn(path, source).map((it) => it.word))).toEqual(
      cases.map(([, words]) => [...words]),
    )
  })
}
