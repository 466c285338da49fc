/** Objects of a repository, asked for by a run: what names mean, their contents, and how many processes that takes. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../../cli/registry.gen.ts'
import { GitObjects } from '../../../../cli/input/git/objects.ts'
import { readBlobs } from '../../../../cli/input/git/process.ts'
import { runCommand } from '../../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-git-objects-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const git = (...args: string[]): string => {
  const done = Bun.spawnSync(['git', '-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: folder })
  expect(done.exitCode).toBe(0)
  return done.stdout.toString().trim()
}
const api = (name: string): string =>
  `openapi: 3.1.0\ninfo: { title: ${name}, version: '1' }\npaths: { /a: { $ref: 'parts.yaml#/a' } }\n`
const big = 'x'.repeat(300_000)

beforeAll(() => {
  git('init', '-q')
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.yaml`), api(name))
  writeFileSync(join(folder, 'parts.yaml'), "a: { get: { responses: { '200': { description: ok } } } }\n")
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub/big.txt'), big)
  git('add', '.')
  git('commit', '-qm', 'first')
  writeFileSync(join(folder, 'svc.yaml'), 'compareWith: git:HEAD\napis: { a: a.yaml, b: b.yaml, c: c.yaml }\n')
})

const opened: GitObjects[] = []
const open = (cwd = folder) => {
  const objects = new GitObjects({ cwd, signal: new AbortController().signal })
  opened.push(objects)
  return objects
}
afterEach(() => {
  for (const it of opened.splice(0)) it.close()
})

test('names are found by the ids of their objects, in the order of the questions', async () => {
  const objects = open()
  const names = ['HEAD:a.yaml', 'HEAD:none.yaml', 'no-such:a.yaml', 'HEAD:sub', 'HEAD:a\n.yaml', ':b.yaml']
  const id = (name: string): string => git('rev-parse', name)
  expect(await Promise.all(names.map((it) => objects.find(it)))).toEqual([
    { id: id('HEAD:a.yaml'), kind: 'blob', size: api('a').length },
    null,
    null,
    { id: id('HEAD:sub'), kind: 'tree', size: 35 },
    null,
    { id: id('HEAD:b.yaml'), kind: 'blob', size: api('a').length },
  ])
})

test('contents are those of a process for each question, whatever their size', async () => {
  const objects = open()
  const names = ['HEAD:sub/big.txt', 'HEAD:none', 'HEAD:a.yaml', 'HEAD:sub', 'HEAD:a\n.yaml', 'HEAD:b.yaml']
  const repository = { cwd: folder, signal: new AbortController().signal }
  const read = async (from: typeof repository & { readonly objects?: GitObjects }) =>
    (await readBlobs(names, from)).map((it) => (typeof it === 'string' ? [it] : Buffer.from(it).toString()))
  const together = await read({ ...repository, objects })
  expect(together).toEqual([big, ['missing'], api('a'), ['folder'], ['missing'], api('b')])
  expect(await read(repository)).toEqual(together)
})

test('outside of a repository nothing is found, and nothing waits', async () => {
  const objects = open(tmpdir())
  expect([await objects.find('HEAD:a.yaml'), await objects.read(['HEAD:a.yaml'])]).toEqual([null, ['missing']])
  expect((await objects.prefix()).code).toBe(128)
})

test.skipIf(process.platform === 'win32')('svc check starts git three times, however many APIs there are', async () => {
  const bin = join(folder, '.bin')
  const log = join(folder, '.log')
  mkdirSync(bin)
  const real = Bun.which('git') ?? ''
  writeFileSync(join(bin, 'git'), `#!/bin/sh\nshift 2\necho "$@" >> '${log}'\nexec '${real}' -C '${folder}' "$@"\n`)
  chmodSync(join(bin, 'git'), 0o755)
  const path = process.env.PATH
  process.env.PATH = `${bin}:${path}`
  const env = { HOME: folder, SVC_WORKSPACE: join(folder, '.svc'), SVC_CACHE: '0' }
  try {
    const { stdout } = await runCommand(['check', '--fail-on', 'none'], registry, { cwd: folder, env })
    expect(stdout).toContain('3 APIs checked: all passed.')
  } finally {
    process.env.PATH = path
  }
  expect(readFileSync(log, 'utf8').trim().split('\n').toSorted()).toEqual([
    'cat-file --batch',
    'cat-file --batch-check',
    'rev-parse --show-prefix',
  ])
})
