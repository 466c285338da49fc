/** What one folder of a list of files has. */
import { expect, test } from 'bun:test'
import type { RepositoryFile } from '../../../src/api/repository-shapes.ts'
import type { ListedFile } from '../../../server/hosting/listing.ts'
import { entriesOf, shownEntries } from '../../../server/repositories/tree.ts'

const file = (path: string): ListedFile => ({ path, oid: 'o', size: 1, kind: 'openapi', isKnown: true, reason: null })

const at = (paths: readonly string[], path: string) => {
  const { folders, files } = entriesOf(paths.map(file), path, (one) => one.endsWith('!'))
  const named = folders.map(
    (it) => `${it.path}/ ${it.files} ${it.importable} ${it.imported} ${it.vendored} ${it.hidden}`,
  )
  return [...named, ...files.map((it) => it.path)]
}

test('a folder that has one folder only is shown with it, up to where its files part', () => {
  const paths = ['a/b/c/x.yaml', 'a/b/c/y.yaml!', 'a/b/d/z.yaml', 'e/f.yaml', 'g.yaml']
  expect(at(paths, '')).toEqual(['a/b/ 3 3 1 0 0', 'e/ 1 1 0 0 0', 'g.yaml'])
  expect(at(paths, 'a/b')).toEqual(['a/b/c/ 2 2 1 0 0', 'a/b/d/ 1 1 0 0 0'])
  expect(at(paths, 'a/b/c')).toEqual(['a/b/c/x.yaml', 'a/b/c/y.yaml!'])
})

test('a name that begins like a folder is not in it; marks are counted', () => {
  expect(at(['ab/x.yaml', 'a/x.yaml', 'a.yaml'], 'a')).toEqual(['a/x.yaml'])
  expect(at(['node_modules/p/x.yaml', '.github/y.yaml'], '')).toEqual([
    '.github/ 1 1 0 0 1',
    'node_modules/p/ 1 1 0 1 0',
  ])
  expect(at([], '')).toEqual([])
})

test('a page has the folders before the files, each by its name below the folder', () => {
  const fileOf = ({ path }: ListedFile): RepositoryFile => ({
    id: path,
    branch: 'main',
    path,
    kind: 'openapi',
    importable: !path.endsWith('?'),
    reason: null,
    vendored: path.includes('vendor'),
    hidden: path.includes('/.'),
    import: path.endsWith('!') ? ({} as RepositoryFile['import']) : null,
  } as RepositoryFile) // prettier-ignore
  const all = ['a/b/x', 'a/b/y!', 'a/c/vendor/z', 'a/c/vendor/w', 'a/.d/v', 'a/e!', 'a/f?', 'a/.g'].map(file)
  const found = (path: string) => entriesOf(all, path, (one) => one.endsWith('!'))
  const shown = (path: string, offset: number, limit: number) =>
    shownEntries(found(path), path, { offset, limit }, fileOf).map((entry) =>
      [
        entry.type,
        entry.name,
        entry.path,
        entry.files,
        entry.importable,
        entry.imported,
        entry.vendored,
        entry.hidden,
        entry.file?.id ?? null,
      ].join(' '),
    )
  const inA = [
    'folder .d a/.d 1 1 0 false true ',
    'folder b a/b 2 2 1 false false ',
    'folder c/vendor a/c/vendor 2 2 0 true false ',
    'file .g a/.g 1 1 0 false true a/.g',
    'file e! a/e! 1 1 1 false false a/e!',
    'file f? a/f? 1 0 0 false false a/f?',
  ]
  expect(shown('a', 0, 10)).toEqual(inA)
  for (let offset = 0; offset <= 7; offset++)
    for (const limit of [1, 2, 3, 4]) expect(shown('a', offset, limit)).toEqual(inA.slice(offset, offset + limit))
  expect(shown('', 0, 10)).toEqual(['folder a a 8 8 2 false false '])
})

test('a folder of 100,000 files is listed in the order of their names', () => {
  const paths = Array.from({ length: 100_000 }, (_, index) => `all/f${String(99_999 - index).padStart(6, '0')}.yaml`)
  expect(at(paths, '')).toEqual(['all/ 100000 100000 0 0 0'])
  const { files } = entriesOf(paths.map(file), 'all', () => false)
  expect([files.length, files[0]?.path, files.at(-1)?.path]).toEqual([100_000, 'all/f000000.yaml', 'all/f099999.yaml'])
})
