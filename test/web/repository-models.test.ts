/** What the pages of repositories make of answers before anything is drawn. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RepositoryTreeEntry } from '../../src/api/repository-shapes.ts'
import { fileIdOf as serverFileIdOf } from '../../server/repositories/files.ts'
import { overlayWords } from '../../web/src/features/bindings/words.ts'
import { hoursOf } from '../../web/src/features/repositories/hours.ts'
import { tokenKinds } from '../../web/src/features/git-providers/providers.ts'
import { fileIdOf } from '../../web/src/features/repositories/queries.ts'
import { findRow, type Folder, keyOfRow, rowsOf, stepFrom } from '../../web/src/features/repositories/tree-rows.ts'
import { file } from '../fixtures/web/fake-repositories.ts'

const entry = (path: string, isFile = true): RepositoryTreeEntry => ({
  type: isFile ? 'file' : 'folder',
  name: path,
  path,
  files: 1,
  importable: 0,
  imported: 0,
  vendored: false,
  hidden: false,
  file: isFile ? file(path) : null,
})

const tree: Readonly<Record<string, Folder>> = {
  '': {
    pieces: new Map([
      [0, [entry('a', false), entry('b', false)]],
      [1, [entry('c')]],
    ]),
    pieceSize: 2,
    total: 5,
  },
  a: { pieces: new Map([[0, [entry('a/x')]]]), pieceSize: 2, total: 1 },
}
const rows = (open: readonly string[]) => rowsOf((path) => tree[path], open)
const shown = (open: readonly string[]) => {
  const all = rows(open)
  expect([all.at(-1), all.at(all.length)]).toEqual([undefined, undefined])
  return Array.from({ length: all.length }, (_, index) => all.at(index)).map((row) =>
    row === undefined ? 'none' : `${row.level} ${keyOfRow(row)}`,
  )
}

test('the rows of a tree: open folders with what is in them, and what is not read yet', () => {
  expect(shown([])).toEqual(['1 folder a', '1 folder b', '1 file c', '1 more 3 ', '1 more 4 '])
  expect(shown(['a', 'b'])).toEqual([
    '1 folder a',
    '2 file a/x',
    '1 folder b',
    '2 more 0 b',
    '1 file c',
    '1 more 3 ',
    '1 more 4 ',
  ])
})

test('only a folder is open, and a row says so, and its place beside others', () => {
  expect(shown(['c', 'nothing'])).toEqual(shown([]))
  expect(shown(['b'])).toEqual(['1 folder a', '1 folder b', '2 more 0 b', '1 file c', '1 more 3 ', '1 more 4 '])
  const all = rows(['b'])
  const of = (index: number) => {
    const row = all.at(index)
    return row?.kind === 'folder' ? [row.entry.path, row.isOpen, row.place] : null
  }
  expect([of(0), of(1), of(2)]).toEqual([['a', false, [1, 5]], ['b', true, [2, 5]], null])
})

test('from any row of a folder, ArrowLeft leads to the folder', () => {
  const inner: Readonly<Record<string, Folder>> = {
    '': { pieces: new Map([[0, [entry('a', false)]]]), pieceSize: 2, total: 1 },
    a: { pieces: new Map([[0, [entry('a/x'), entry('a/y')]]]), pieceSize: 2, total: 2 },
  }
  const all = rowsOf((path) => inner[path], ['a'])
  expect([0, 1, 2].map((index) => stepFrom(all, index, 'ArrowLeft'))).toEqual([null, 0, 0])
})

test('a row is found by its key; of a folder of 79,000 files only the rows that are asked for are made', () => {
  const all = rows(['b', 'a'])
  expect(['file a/x', 'folder b', 'more 3 ', 'file none'].map((key) => findRow(all, key))).toEqual([1, 2, -1, -1])
  let made = 0
  const piece = new Proxy([entry('docs', false), entry('x')], {
    get: (of, name, self) => {
      if (name === '1') made++
      return Reflect.get(of, name, self) as unknown
    },
  })
  const large = { pieces: new Map([[0, piece]]), pieceSize: 500, total: 79_000 }
  for (let n = 0; n < 10; n++) {
    const found = rowsOf((path) => (path === '' ? large : undefined), ['docs'])
    expect([found.length, found.at(1)?.kind, found.at(79_000)?.kind]).toEqual([79_001, 'more', 'more'])
  }
  // Once, to know which of the piece are folders.
  expect(made).toBe(1)
})

test('whatever is read and open, the rows are those of the tree written out', () => {
  const folders = fc.array(fc.array(fc.constantFrom('folder', 'file', 'unread'), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(folders, fc.nat(0xff), fc.integer({ min: 1, max: 3 }), (drawn, opened, pieceSize) => {
      // The folder of each number is in the first one that is before it and has a free place for a folder.
      const kids = new Map<string, { readonly path: string; readonly kind: string }[]>()
      const waiting = ['']
      for (const kinds of drawn) {
        const at = waiting.shift()
        if (at === undefined) break
        const own = kinds.map((kind, n) => ({ path: `${at}/${n}`, kind }))
        kids.set(at, own)
        waiting.push(...own.filter(({ kind }) => kind === 'folder').map(({ path }) => path))
      }
      const paths = [...kids.values()].flat().map(({ path }) => path)
      const open = paths.filter((_, n) => (opened >> (n % 8)) % 2 === 1)
      const isRead = (own: readonly { readonly kind: string }[]) => own.every(({ kind }) => kind !== 'unread')
      const read = (path: string): Folder | undefined => {
        const own = kids.get(path)
        if (own === undefined) return undefined
        const pieces = Array.from(
          { length: Math.ceil(own.length / pieceSize) },
          (_, n) => [n, own.slice(n * pieceSize, (n + 1) * pieceSize)] as const,
        )
        const known = pieces.filter(([, piece]) => isRead(piece))
        const made = known.map(([n, piece]) => [n, piece.map((one) => entry(one.path, one.kind === 'file'))] as const)
        return { pieces: new Map(made), pieceSize, total: own.length }
      }
      const written = (path: string, level: number): string[] => {
        const own = kids.get(path)
        if (own === undefined) return [`${level} more 0 ${path}`]
        return own.flatMap((one, n) => {
          const start = n - (n % pieceSize)
          if (!isRead(own.slice(start, start + pieceSize))) return [`${level} more ${n} ${path}`]
          const isOpen = one.kind === 'folder' && open.includes(one.path)
          return [`${level} ${one.kind} ${one.path}`, ...(isOpen ? written(one.path, level + 1) : [])]
        })
      }
      const all = rowsOf(read, open)
      const told = Array.from({ length: all.length }, (_, n) => all.at(n)).map(
        (row) => row && `${row.level} ${keyOfRow(row)}`,
      )
      expect(told).toEqual(written('', 1))
      expect([all.at(-1), all.at(all.length)]).toEqual([undefined, undefined])
    }),
  )
})

test('keys move in the tree, and from what is in a folder to the folder', () => {
  const all = rows(['a', 'b'])
  const from = (index: number, key: string) => stepFrom(all, index, key)
  expect([from(0, 'ArrowDown'), from(6, 'ArrowDown'), from(0, 'ArrowUp'), from(2, 'ArrowUp')]).toEqual([1, 6, 0, 1])
  expect([from(3, 'Home'), from(0, 'End'), from(0, 'PageDown'), from(6, 'PageUp')]).toEqual([0, 6, 6, 0])
  expect([from(1, 'ArrowLeft'), from(3, 'ArrowLeft'), from(0, 'ArrowLeft'), from(0, 'a')]).toEqual([0, 2, null, null])
})

test('the id of a file is the one that the service gives', () => {
  for (const path of ['openapi.yaml', 'a b/ä\n?.yaml', '😀'])
    expect(fileIdOf({ branch: 'main', path })).toBe(serverFileIdOf('main', path))
})

test('the scopes of a token and the page that creates one, for the cloud and for a server of one’s own', () => {
  const told = (...given: Parameters<typeof tokenKinds>) =>
    tokenKinds(...given).map((it) => [it.id, new URL(it.url).host, it.scopes.join(' + '), it.needsEmail])
  expect(told('github', '')).toEqual([
    ['fine-grained', 'github.com', 'Contents: Read-only + Metadata: Read-only', false],
    ['classic', 'github.com', 'repo', false],
  ])
  expect(told('github', 'code.example.com:8443').map(([, host]) => host)).toEqual([
    'code.example.com:8443',
    'code.example.com:8443',
  ])
  expect(told('gitlab', ' git.example.com ')).toEqual([
    ['token', 'git.example.com', 'read_repository + read_api', false],
  ])
  expect(told('bitbucket', 'bitbucket.org').map(([id, , , needsEmail]) => [id, needsEmail])).toEqual([
    ['api-token', true],
    ['access-token', false],
  ])
  expect(told('bitbucket', 'git.example.com').map(([id]) => id)).toEqual(['http'])
})

test('the polls of the last 24 hours, those without one included', () => {
  const now = Date.parse('2026-11-20T10:30:00Z')
  const bucket = { polls: 5, changed: 1, throttled: 2, failed: 1 }
  const hours = hoursOf([{ at: '2026-11-20T10:00:00.000Z', ...bucket }], now)
  expect([hours.length, hours.filter((it) => it.total > 0).length]).toEqual([24, 1])
  expect(hours[23]).toEqual({
    at: Date.parse('2026-11-20T10:00:00Z'),
    unchanged: 3,
    changed: 1,
    failed: 1,
    throttled: 2,
    total: 7,
  })
})

test('the overlays of a binding are named in their order, with what they did', () => {
  const overlay = { digest: `sha256:${'0'.repeat(64)}`, title: 'Public', source: 'hide.yaml', actions: 1, matches: 2 }
  const overlays = [overlay, { ...overlay, source: 'pens.yaml', title: 'Pens', actions: 3, matches: 0 }]
  expect(overlayWords({ lineage: { base_digest: overlay.digest, overlays } })).toEqual([
    'hide.yaml (Public): 1 action, 2 places',
    'pens.yaml (Pens): 3 actions, 0 places',
  ])
  expect(overlayWords({})).toEqual([])
})
