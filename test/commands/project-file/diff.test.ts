/** `svc diff` and `svc breaking` in a repository with a svc.yaml. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-project-diff-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const git = (...args: string[]): void => {
  const done = Bun.spawnSync(['git', '-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: folder })
  expect(done.exitCode).toBe(0)
}

const api = (...paths: string[]): string =>
  `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths
    .map((it) => `  /${it}: { get: { responses: { '200': { description: ok } } } }\n`)
    .join('')}`

beforeEach(() => {
  rmSync(join(folder, '.git'), { recursive: true, force: true })
  rmSync(join(folder, 'svc-diff.yaml'), { force: true })
  git('init', '-q')
  write('apis/a.yaml', api('a', 'b'))
  write('apis/b.yaml', api('x'))
  git('add', '.')
  git('commit', '-qm', 'first')
  write('apis/a.yaml', api('a'))
  write('old/c.yaml', api('c'))
  write('apis/c.yaml', api('c', 'd'))
  write(
    'svc.yaml',
    `compareWith: git:HEAD
apis:
  a: apis/a.yaml
  b: apis/b.yaml
  c: { root: apis/c.yaml, compareWith: old/c.yaml }
`,
  )
})

interface Answer {
  readonly exitCode: number
  readonly changes: readonly { readonly id: string; readonly severity: string; readonly file?: string }[]
}

const run = (line: string, cwd = '.') => runCommand(line.split(' '), registry, { cwd: join(folder, cwd) })
const changes = async (line: string, cwd = '.') => {
  const { exitCode, changes: all } = JSON.parse((await run(`${line} --no-cache --json`, cwd)).stdout) as Answer
  return [exitCode, ...all.map((it) => [it.file ?? '', it.id, it.severity].join(' ').trim())]
}

test('without arguments each API is compared with its base, from any folder', async () => {
  expect(await changes('diff')).toEqual([
    0,
    'apis/a.yaml operation-removed breaking',
    'apis/c.yaml operation-added non-breaking',
  ])
  expect(await changes('breaking', 'old')).toEqual([
    4,
    '../apis/a.yaml operation-removed breaking',
    '../apis/c.yaml operation-added non-breaking',
  ])
  const { stdout } = await run('diff --no-cache')
  expect(stdout).toContain('3 APIs compared: 2 changed.')
})

test('an API is named by its name or its document', async () => {
  expect(await changes('breaking a')).toEqual([4, 'operation-removed breaking'])
  expect(await changes('breaking b.yaml', 'apis')).toEqual([0])
  const { exit, stderr } = await run('diff aa')
  expect([exit, stderr.split('\n')[0]]).toEqual([2, 'error: There is no API "aa" in svc.yaml; did you mean "a"?'])
})

test('how changes are evaluated is said in svc.yaml, in a file beside it, and by options', async () => {
  write('svc-diff.yaml', 'severity: { operation-removed: docs-only, operation-added: docs-only }\n')
  expect(await changes('diff', 'apis')).toEqual([
    0,
    'a.yaml operation-removed docs-only',
    'c.yaml operation-added docs-only',
  ])
  write(
    'svc.yaml',
    `compareWith: git:HEAD
diff: { severity: { operation-removed: non-breaking } }
apis:
  a: apis/a.yaml
  c: { root: apis/c.yaml, compareWith: old/c.yaml, diff: { ignore: [{ match: operation-added, reason: planned }] } }
`,
  )
  expect(await changes('diff')).toEqual([0, 'apis/a.yaml operation-removed non-breaking'])
  expect(await changes('diff --severity operation-removed=breaking')).toEqual([
    0,
    'apis/a.yaml operation-removed breaking',
  ])
})

test('a base that does not exist is an error, and the others are compared', async () => {
  write('apis/new.yaml', api('n'))
  write('svc.yaml', 'compareWith: git:HEAD\napis: { a: apis/a.yaml, new: apis/new.yaml }\n')
  const { exit, stdout, stderr } = await run('breaking --no-cache')
  expect(exit).toBe(2)
  expect(stdout).toContain('1 API compared: 1 changed.')
  expect(stderr).toStartWith('error: Cannot read HEAD:apis/new.yaml: HEAD has no file "apis/new.yaml"')
  expect(await changes('diff --allow-missing-base')).toEqual([
    0,
    'apis/a.yaml operation-removed breaking',
    'apis/new.yaml operation-added non-breaking',
  ])
})

test('what svc.yaml does not say is named', async () => {
  write('svc.yaml', 'apis: { a: apis/a.yaml, b: { root: apis/b.yaml, compareWith: git:HEAD } }\n')
  const some = await run('diff --no-cache')
  expect([some.exit, some.stderr]).toEqual([0, 'warning: a is not compared: it has no compareWith.\n'])
  expect((await run('diff a')).stderr).toStartWith(
    'error: svc.yaml does not say what a is compared with; set compareWith, such as git:origin/main\n',
  )
  write('svc.yaml', 'apis: { a: apis/a.yaml }\n')
  expect((await run('diff')).stderr).toStartWith(
    'error: svc.yaml does not say what the APIs are compared with; set compareWith, such as git:origin/main\n',
  )
  rmSync(join(folder, 'svc.yaml'))
  expect((await run('diff')).stderr).toStartWith('error: Missing argument BASE (the older side: a file')
  expect((await run('diff apis/a.yaml')).stderr).toStartWith('error: Missing argument HEAD (the newer side')
})
