/** Suppressions in files that several documents use: reported as unused only where that is known. */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-unused-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const api = (path: string, more = ''): string =>
  `openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n${more}paths:\n  /${path}: { $ref: 'parts/${path}.yaml' }\n`
const noted = "get:\n  # svc-ignore no-note -- later\n  x-note: later\n  responses: { '200': { description: ok } }\n"
write(
  'house.yaml',
  'rules:\n  no-note: { given: "$.paths[*].get", severity: error, then: { field: x-note, function: falsy } }\n',
)
write('a.yaml', api('one'))
// Of the two documents b alone makes what parts/two.yaml suppresses.
write('b.yaml', api('two'))
write(
  'c.yaml',
  'openapi: 3.1.0\ninfo: { title: C, version: 1.0.0 }\ncomponents: { pathItems: { two: { $ref: parts/two.yaml } } }\n',
)
write('d.yaml', api('one', '# svc-ignore no-note -- later\n'))
write('parts/one.yaml', noted)
write('parts/two.yaml', noted)
write('parts/idle.yaml', noted.replace('  x-note: later\n', '  summary: Idle\n'))
write('e.yaml', api('idle'))

const unused = async (line: string): Promise<string[]> => {
  const words = ['lint', ...line.split(' ').filter((it) => it !== ''), '--guide', 'house.yaml', '--json']
  const { stdout } = await runCommand(words, registry, { cwd: folder, env: {} })
  const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; source: string }[] }
  return findings.filter(({ code }) => code === 'unused-suppression').map(({ source }) => source)
}

test('a suppression in a used file is unused only where all documents that may use the file are linted', async () => {
  expect(await unused('a.yaml')).toEqual([])
  expect(await unused('b.yaml')).toEqual([])
  // Another document uses the file of the suppression.
  expect(await unused('c.yaml')).toEqual([])
  expect(await unused('e.yaml')).toEqual([])
  // In the description itself it is known.
  expect(await unused('d.yaml')).toEqual(['d.yaml'])
  expect(await unused('.')).toEqual(['d.yaml', 'parts/idle.yaml'])
  expect(await unused('')).toEqual(['d.yaml', 'parts/idle.yaml'])
  // A part by itself is none of the documents that use it.
  expect(await unused('parts/two.yaml')).toEqual([])
})

test('with svc.yaml all of its APIs are what uses a file', async () => {
  write('svc.yaml', 'guide: house.yaml\napis:\n  b: b.yaml\n  c: { root: c.yaml, guide: house.yaml }\n  e: e.yaml\n')
  const run = async (line: string): Promise<string[]> => unused(line)
  expect(await run('')).toEqual(['parts/idle.yaml'])
  expect(await run('e')).toEqual([])
  expect(await run('c')).toEqual([])
})
