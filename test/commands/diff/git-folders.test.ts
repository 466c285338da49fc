import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import diff from '../../../commands/diff.ts'
import type { Registry } from '../../../cli/declare.ts'
import { openGitFolder } from '../../../cli/input/git/folder.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const registry: Registry = { diff: { summary: diff.summary, load: async () => diff } }

const api = (schema: string): string =>
  `openapi: 3.1.0\ninfo: { title: t, version: 1.0.0 }\npaths:\n  /p:\n    get:\n      parameters: [{ name: q, in: query, schema: ${schema} }]\n      responses: { "200": { description: ok } }\n`
const older: Record<string, string> = {
  'specs/a/api.yaml': api('{ $ref: ../../common/q.yaml }'),
  'specs/b.yaml': api('{ type: string }'),
  'specs/gone.yaml': api('{ type: string }'),
  'specs/notes.txt': 'notes',
  'specs/.hidden/api.yaml': 'openapi: 3.1.0\n\tx',
  'specs/node_modules/m/api.yaml': 'openapi: 3.1.0\n\tx',
  'specs/umlaut ä/c.json': '{"type":"object","properties":{}}',
  'common/q.yaml': '{ type: string, maxLength: 20 }\n',
}

let cwd = ''
const git = (...args: string[]): void => {
  const made = Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd })
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
}
const write = async (path: string, content: string): Promise<void> => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  await Bun.write(join(cwd, path), content)
}
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-git-folders-'))
  git('init', '-q', '-b', 'main')
  for (const [path, content] of Object.entries(older)) await write(path, content)
  symlinkSync('b.yaml', join(cwd, 'specs/link.yaml'))
  git('add', '-f', '.')
  git('commit', '-qm', 'older')
  git('checkout', '-qb', 'next')
  await write('common/q.yaml', '{ type: string, maxLength: 10 }\n')
  await write('specs/fresh.yaml', api('{ type: string }'))
  git('rm', '-q', 'specs/gone.yaml')
  git('add', '.')
  git('commit', '-qm', 'newer')
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (...argv: string[]) => runCommand(['diff', ...argv], registry, { cwd })
const inFolder = (folder: string, ...argv: string[]) =>
  runCommand(['diff', ...argv], registry, { cwd: join(cwd, folder) })

interface Envelope {
  readonly summary: {
    readonly files: readonly { readonly file: string; readonly status: string }[]
    readonly skipped: unknown
  }
  readonly changes: readonly { readonly id: string; readonly file: string; readonly head: { source: string } | null }[]
}
const envelopeOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Envelope
const statuses = [
  'a/api.yaml changed',
  'b.yaml unchanged',
  'fresh.yaml added',
  'gone.yaml removed',
  'umlaut ä/c.json unchanged',
]

describe('folders of git revisions', () => {
  for (const [base, head, common] of [
    ['main:specs', 'HEAD:specs', 'HEAD:common/q.yaml'],
    ['main:specs/', 'next:./specs', 'next:common/q.yaml'],
    ['main:specs', 'specs', 'common/q.yaml'],
    ['main:specs', ':specs', ':common/q.yaml'],
  ] as const)
    test(`${base} against ${head}: files are paired by path, and references stay in their revision`, async () => {
      const { summary, changes } = envelopeOf(await run(base, head, '--json'))
      expect(summary.files.map(({ file, status }) => `${file} ${status}`)).toEqual(statuses)
      expect(summary.skipped).toEqual(['notes.txt'])
      expect(changes.map(({ id, file }) => `${file} ${id}`)).toEqual([
        'a/api.yaml schema-max-length-decreased',
        'gone.yaml document-removed',
        'fresh.yaml document-added',
      ])
      expect(changes[0]?.head?.source).toBe(common)
    })

  test('paths with "./" begin in the current folder, and nothing after the colon is everything', async () => {
    const near = envelopeOf(await inFolder('specs', 'main:./a', 'HEAD:./a', '--json'))
    expect(near.summary.files.map(({ file }) => file)).toEqual(['api.yaml'])
    const here = envelopeOf(await inFolder('specs', 'main:.', 'HEAD:.', '--json'))
    expect(here.summary.files.map(({ file }) => file)).toEqual(statuses.map((it) => it.replace(/ \w+$/, '')))
    const all = envelopeOf(await run('main:', 'HEAD:', '--json'))
    expect(all.summary.files.map(({ file }) => file)).toContain('specs/a/api.yaml')
  })

  test('what a revision does not have is refused with the next step', async () => {
    const refused = async (base: string, head: string, folder = ''): Promise<string> => {
      const { exit, stderr } = await inFolder(folder, base, head)
      expect(exit).toBe(2)
      return stderr
    }
    expect(await refused('main:specz', 'HEAD:specs')).toContain('main has no folder "specz"; did you mean main:specs?')
    expect(await refused('mian:specs', 'specs')).toContain('no branch, tag or commit "mian"; did you mean main?')
    expect(await refused('main:a', 'HEAD:specs', 'specs')).toContain('write main:specs/a or main:./a')
    expect(await refused('main:../x', 'specs')).toContain('points outside the repository')
    expect(await refused(':nowhere', 'specs')).toContain('the index has no folder "nowhere"')
    expect(await refused('main:specs', 'HEAD:specs/b.yaml')).toContain('HEAD:specs/b.yaml is not')
    expect(await refused('main:specs/b.yaml', 'specs')).toContain('specs is a folder or an archive')
    expect(await refused('--output=x:specs', 'specs')).toContain('Unknown option')
  })

  test('a new folder has nothing to break, where that is allowed', async () => {
    const { exit, stdout, stderr } = await run('main:fresh', 'HEAD:specs', '--allow-missing-base')
    expect([exit, stdout.includes('files compared: 4 added')]).toEqual([0, true])
    expect(stderr).toContain('main:fresh does not exist: HEAD:specs is compared with nothing.')
    expect((await run('HEAD:specs', 'main:fresh', '--allow-missing-base')).exit).toBe(2)
  })

  test('a folder with more than the limits is refused before it is read', async () => {
    const repository = { cwd, signal: new AbortController().signal }
    const open = (limits: { entries?: number; bytes?: number; documentBytes?: number }) =>
      openGitFolder({ revision: 'main', path: 'specs' }, repository, {
        entries: 100,
        bytes: 10_000,
        documentBytes: 10_000,
        ...limits,
      })
    const folder = await open({})
    expect(folder?.paths).toEqual(['a/api.yaml', 'b.yaml', 'gone.yaml', 'notes.txt', 'umlaut ä/c.json'])
    expect((await folder?.read('notes.txt'))?.text).toBe('notes')
    const refusal = (opened: Promise<unknown> | undefined): Promise<unknown> | undefined =>
      opened?.then(
        () => null,
        (thrown: unknown) => (thrown as Error).message,
      )
    expect(await refusal(open({ entries: 4 }))).toBe('main:specs is too large: more than 4 files.')
    expect(await refusal(open({ bytes: 500 }))).toBe(
      'main:specs is too large: more than 500 bytes of JSON and YAML files.',
    )
    const small = await open({ documentBytes: 100 })
    expect(await refusal(small?.read('b.yaml'))).toContain('100 bytes')
  })
})
