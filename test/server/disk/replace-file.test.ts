import { afterAll, expect, test } from 'bun:test'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../../../server/disk/door.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const codeOf = (act: () => void): unknown => {
  try {
    act()
    return null
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
const modeOf = (path: string): number => statSync(path).mode & 0o777

test('a file is made with its folders, and replaced with the permissions that it had', () => {
  const path = join(folder, 'a/b/c.txt')
  replaceFile(path, 'one')
  chmodSync(path, 0o640)
  replaceFile(path, new Uint8Array([116, 119, 111]))
  expect([readFileSync(path, 'utf8'), modeOf(path), readdirSync(join(folder, 'a/b'))]).toEqual([
    'two',
    0o640,
    ['c.txt'],
  ])
  replaceFile(path, 'three', { mode: 0o600, flush: false })
  expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['three', 0o600])
})

test('a symbolic link stays one, and what it leads to is replaced', () => {
  writeFileSync(join(folder, 'real.txt'), 'old')
  symlinkSync('real.txt', join(folder, 'link.txt'))
  replaceFile(join(folder, 'link.txt'), 'new')
  expect([
    lstatSync(join(folder, 'link.txt')).isSymbolicLink(),
    readFileSync(join(folder, 'real.txt'), 'utf8'),
  ]).toEqual([true, 'new'])
})

test('a new file that exists already is an error and stays', () => {
  const path = join(folder, 'new.txt')
  replaceFile(path, 'first', { isNew: true })
  expect([codeOf(() => replaceFile(path, 'second', { isNew: true })), readFileSync(path, 'utf8')]).toEqual([
    'EEXIST',
    'first',
  ])
})

test('a folder is not replaced, a device is written to, and nothing is left beside', () => {
  mkdirSync(join(folder, 'sub/inner'), { recursive: true })
  expect(codeOf(() => replaceFile(join(folder, 'sub/inner'), 'x'))).toBe('EISDIR')
  replaceFile('/dev/null', 'x')
  expect(readdirSync(join(folder, 'sub'))).toEqual(['inner'])
})

// The kernel has a device on which every write fails as on a full disk.
test('where no space is left the error says so', () => {
  expect(codeOf(() => replaceFile('/dev/full', 'x'))).toBe('ENOSPC')
})
