import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unreadableFile, unwritableFile } from '../../../cli/input/file-error.ts'
import { writeOptionFile } from '../../../cli/output/reports.ts'
import { SvcError } from '../../../src/errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-file-error-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'specs'))
mkdirSync(join(folder, 'empty'))
for (const name of ['a.json', 'b.yaml', 'c.yml', 'd.json', 'notes.txt']) writeFileSync(join(folder, 'specs', name), '')

const reading = async (name: string, code: string) => {
  const { code: error, message, exitCode } = await unreadableFile(name, join(folder, name), { code })
  return [error, message, exitCode]
}

test('each cause has its own message and code, with the nearest name', async () => {
  expect(await reading('specs/b.yml', 'ENOENT')).toEqual([
    'file-not-found',
    'There is no file "specs/b.yml"; did you mean "specs/b.yaml"?',
    2,
  ])
  expect(await reading('elsewhere/x.yaml', 'ENOENT')).toEqual([
    'file-not-found',
    'There is no file "elsewhere/x.yaml"',
    2,
  ])
  expect(await reading('specs', 'EISDIR')).toEqual([
    'file-is-folder',
    '"specs" is a folder that contains a.json, b.yaml, c.yml.',
    2,
  ])
  expect(await reading('empty', 'EISDIR')).toEqual(['file-is-folder', '"empty" is a folder.', 2])
  expect(await reading('specs/a.json', 'EACCES')).toEqual([
    'file-unreadable',
    'Cannot read "specs/a.json": permission denied (EACCES).',
    2,
  ])
  expect(await reading('specs/a.json', 'EWHAT')).toEqual(['file-unreadable', 'Cannot read "specs/a.json": EWHAT.', 2])
})

test('what cannot be written says why, and no hint leads to --help', async () => {
  expect(unwritableFile('out.json', { code: 'ENOSPC' }).message).toBe(
    'Cannot write "out.json": no space is left on the device (ENOSPC).',
  )
  const below = await writeOptionFile('specs/a.json/x.html', '', folder).catch((error: unknown) => error)
  expect(below).toBeInstanceOf(SvcError)
  expect(below).toMatchObject({ code: 'file-unwritable', exitCode: 2 })
  expect((below as SvcError).message).toMatch(
    /^Cannot write "specs\/a\.json\/x\.html": a part of its path is a file, not a folder \((ENOTDIR|EEXIST)\)\.$/,
  )
  expect((below as SvcError).hint).not.toContain('--help')
})
