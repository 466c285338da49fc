import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow } from '../../../cli/input/walk.ts'
import lint from '../../../commands/lint.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const registry = registryOf({ lint })
const api = 'openapi: 3.1.0\ninfo: { title: t, version: 1.0.0 }\npaths: {}\n'
const utf16 = (text: string, mark: boolean): Uint8Array =>
  new Uint8Array(Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le'))

let cwd = ''
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-targets-'))
  const files: Record<string, string | Uint8Array> = {
    'good/ok.yaml': api,
    'good/vendor/ok.yaml': api,
    'good/dist/b.yaml': api,
    'good/.hidden/ok.yaml': api,
    'cut/ok.yaml': api,
    'cut/cut.json': '{"openapi":"3.1.0"',
    'tab/openapi.yaml': 'openapi: 3.0.0\n\tinfo: x\n',
    'empty/ok.yaml': api,
    'empty/openapi.yaml': '',
    'wide/api.yaml': utf16(api, true),
    'narrow/openapi.yaml': utf16(api, false),
    'comma.json': '{"openapi":"3.1.0","info":{"title":"t","version":"1",},"paths":{"/a/":{}}}',
    'nan.yaml': api.replace('1.0.0', '.nan').replace('{}', '{ /a/: {} }'),
    'image.yaml': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  }
  for (const [path, content] of Object.entries(files)) await Bun.write(join(cwd, path), content)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (...names: string[]) => runCommand(['lint', ...names], registry, { cwd })
const linted = async (...names: string[]): Promise<string[]> => {
  const { stdout } = await run(...names, '--json')
  const { findings } = JSON.parse(stdout) as { findings: { source: string }[] }
  return [...new Set(findings.map(({ source }) => source))].sort()
}

test('a folder reports descriptions that cannot be read', async () => {
  for (const [folder, source] of [
    ['cut', 'cut/cut.json'],
    ['tab', 'tab/openapi.yaml'],
    ['empty', 'empty/openapi.yaml'],
  ] as const) {
    expect(await linted(folder)).toContain(source)
    expect([folder, (await run(folder)).exit]).toEqual([folder, 6])
  }
})

test('a file is checked once, whatever it is called', async () => {
  expect(await linted('good/ok.yaml', './good/ok.yaml', join(cwd, 'good', 'ok.yaml'), 'good')).toEqual(['good/ok.yaml'])
  const { stdout } = await run('./good/ok.yaml', 'good/ok.yaml', 'good/*.yaml', '--json')
  const { summary } = JSON.parse(stdout) as { summary: { documents: { source: string }[] } }
  expect(summary.documents.map((it) => it.source)).toEqual(['./good/ok.yaml'])
})

test('UTF-16 is read with a byte order mark and named without one', async () => {
  expect(await linted('wide')).toEqual(['wide/api.yaml'])
  const { exit, stderr } = await run('narrow')
  expect([exit, stderr.includes('narrow/openapi.yaml is written in UTF-16LE without a byte order mark')]).toEqual([
    6,
    true,
  ])
  expect((await run('image.yaml')).stderr).toContain('image.yaml is a PNG image; expected JSON or YAML')
})

test('a pattern reads what it names', async () => {
  expect(await linted('good')).toEqual(['good/ok.yaml'])
  expect(await linted('good/**/*.yaml')).toEqual(['good/ok.yaml'])
  expect(await linted('good/vendor/**')).toEqual(['good/vendor/ok.yaml'])
  expect(await linted('good/.hidden/*.yaml')).toEqual(['good/.hidden/ok.yaml'])
  expect(await linted('good/{ok,vendor/ok,dist/b}.yaml')).toEqual([
    'good/dist/b.yaml',
    'good/ok.yaml',
    'good/vendor/ok.yaml',
  ])
  expect(await linted('good/{ok,vendor/ok}.yaml', '!good/vendor')).toEqual(['good/ok.yaml'])
  expect((await run('good', '!good/*.yaml')).exit).toBe(2)
})

test('a folder inside that cannot be read is skipped, and the files beside it are found', async () => {
  const top = join(cwd, 'good')
  const skipped: string[][] = []
  const walk = {
    isEntered: (name: string) => name !== '.hidden',
    onSkipped: (...it: string[]) => void skipped.push(it),
    list: (folder: string) =>
      folder === join(top, 'dist')
        ? Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))
        : readdir(folder, { withFileTypes: true }),
  }
  expect(await Array.fromAsync(filesBelow(top, walk))).toEqual([join(top, 'ok.yaml'), join(top, 'vendor', 'ok.yaml')])
  expect(skipped).toEqual([[join(top, 'dist'), 'permission denied (EACCES)']])
  const failed = await Array.fromAsync(filesBelow(join(top, 'none'), walk)).catch((error: Error) => error.message)
  expect(failed).toContain('There is no')
})

test('commas before closing brackets and numbers that are not finite are errors, and the rules look at the rest', async () => {
  for (const [name, problem] of [
    ['comma.json', 'Invalid JSON: expected a property name in double quotes after ",", found "}".'],
    ['nan.yaml', 'This number is infinite or not a number, which JSON does not support.'],
  ] as const) {
    const { exit, stdout } = await run(name, '--json')
    const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string }[] }
    expect([name, exit]).toEqual([name, 6])
    expect(findings.flatMap(({ code, message }) => (code === 'parser' ? [message] : []))).toEqual([problem])
    expect(findings.map(({ code }) => code)).toContain('path-keys-no-trailing-slash')
  }
})
