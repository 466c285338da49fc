/** What a path of a binding selects. */
import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { digestOfFiles, hasWildcard, readSelectionPath, selects } from '../../../server/bindings/selected-files.ts'
import { SvcError } from '../../../src/errors.ts'

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) })

test('the digest of one file is that of its bytes; of more it covers their paths, in any order', () => {
  expect(digestOfFiles([file('a.yaml', 'x')])).toBe(`sha256:${sha256('x')}`)
  const two = [file('b.yaml', 'y'), file('a.yaml', 'x')]
  const list = `a.yaml\0${sha256('x')}\nb.yaml\0${sha256('y')}\n`
  expect([digestOfFiles(two), digestOfFiles(two.toReversed())]).toEqual([
    `sha256:${sha256(list)}`,
    `sha256:${sha256(list)}`,
  ])
  expect(digestOfFiles([])).toBe(`sha256:${sha256('')}`)
})

test('whatever differs in several files gives another digest, and their order none', () => {
  const files = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.string()), {
    minLength: 2,
    maxLength: 5,
    selector: ([path]) => Buffer.from(path).toString('hex'),
  })
  fc.assert(
    fc.property(files, fc.nat(), (drawn, at) => {
      const list = drawn.map(([path, text]) => file(path, text))
      const before = digestOfFiles(list)
      expect(digestOfFiles(list.toReversed())).toBe(before)
      const changed = list.map((one, n) => (n === at % list.length ? { ...one, bytes: Buffer.from([1]) } : one))
      const same = list[at % list.length]?.bytes.equals(Buffer.from([1])) === true
      expect(digestOfFiles(changed) === before).toBe(same)
      expect(digestOfFiles(list.slice(1))).not.toBe(before)
    }),
  )
})

test('a path is a file, a folder with all below it, a pattern, or everything', () => {
  const paths = ['api.yaml', 'api/a.yaml', 'api/v1/b.yaml', 'apis/c.yaml', 'docs/api/d.yaml']
  const chosen = (path: string) => paths.filter(selects(readSelectionPath(path)))
  expect(['', 'api', 'api/', './api/a.yaml', 'api.yaml', 'api/*.yaml', '**/*.yaml', 'api{,s}/?.yaml', 'api/[b-z].yaml'].map(chosen)).toEqual([
    paths,
    ['api/a.yaml', 'api/v1/b.yaml'],
    ['api/a.yaml', 'api/v1/b.yaml'],
    ['api/a.yaml'],
    ['api.yaml'],
    ['api/a.yaml'],
    paths,
    ['api/a.yaml', 'apis/c.yaml'],
    [],
  ]) // prettier-ignore
  expect(['a', 'a*', 'a?', '{a,b}', 'a[b]'].map(hasWildcard)).toEqual([false, true, true, true, true])
})

test('a path out of the repository is refused', () => {
  for (const path of ['../a.yaml', '/etc/passwd', 'a/../../b']) {
    let code: string | null = null
    try {
      readSelectionPath(path)
    } catch (error) {
      code = error instanceof SvcError ? error.code : String(error)
    }
    expect([path, code]).toEqual([path, 'file-pattern-invalid'])
  }
})
