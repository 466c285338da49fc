/** The texts that the playground leaves out are those that it never shows, and nothing else. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftOut, raisedCodes } from '../../web/playground/texts.ts'

const root = join(import.meta.dir, '../..')

/** The names of the properties of an object in source text; refused where it is not whole. */
function keysOf(properties: string): string[] {
  const code = new Bun.Transpiler({ loader: 'ts' }).transformSync(`export const it = {\n${properties}\n}`)
  // Examples of documents are texts between these marks.
  return [...code.replaceAll(/`[^`]*`/g, '``').matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
}

test('the catalogue of the page has each error that its sources raise', async () => {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, 'web/playground/worker.ts')],
    target: 'browser',
    metafile: true,
  })
  const paths = Object.keys(metafile?.inputs ?? {}).filter((path) => /(?:^|\/)src\/(?!errors)/.test(path))
  expect(paths.length).toBeGreaterThan(400)
  const sources = paths.map((path) => readFileSync(path, 'utf8')).join('\n')
  const raised = [...sources.matchAll(/new SvcError\(\s*([^,)\s]+)/g)].map(([, code = '']) => code)
  expect([...new Set(raised)].toSorted()).toEqual(raisedCodes.map((code) => `'${code}'`).toSorted())
})

test.each([
  ['rules', 'src/lint/rules/*.ts', 150, ['help']],
  ['rules of changes', 'src/diff/**/*.ts', 250, ['aliases', 'explain']],
] as const)('of %s whole properties are left out', (_, pattern, least, names) => {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: root })].map((path) => join(root, path))
  const found: string[] = []
  for (const path of paths)
    for (const [sources, property] of leftOut)
      if (sources.test(path))
        for (const [text] of readFileSync(path, 'utf8').matchAll(property)) found.push(keysOf(text).join())
  expect(found.length).toBeGreaterThanOrEqual(least)
  expect([...new Set(found)].toSorted()).toEqual([...names])
})
