/** The commands of the documentation do what the pages say: they are run, with the exit codes and the output that is shown. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentedBlocks } from '../fixtures/documented-commands.ts'
import { Reader } from './reader.ts'
import { scenarios } from './pages.ts'

setDefaultTimeout(240_000)
const blocks = await documentedBlocks()
const pages = [...Map.groupBy(blocks, ({ page }) => page)].filter(([, own]) =>
  own.some(({ language }) => language === 'sh' || language === ''),
)

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-docs-'))
})
afterAll(() => rm(base, { recursive: true, force: true }))

test('every page with commands says how they are run, or why not', () => {
  expect(Object.keys(scenarios).toSorted()).toEqual(pages.map(([page]) => page).toSorted())
})

test.each(pages)('the commands of %s do what the page says', async (page, own) => {
  const reader = new Reader(join(base, page.replaceAll('/', '-')), scenarios[page] ?? {})
  try {
    await reader.prepare()
    for (const block of own) await reader.block(block)
  } finally {
    await reader.stop()
  }
  expect(reader.problems).toEqual([])
  // A reason that leaves nothing out is out of date.
  expect(reader.unused()).toEqual([])
})
