import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import breaking from '../../../commands/breaking.ts'
import diff from '../../../commands/diff.ts'
import type { Registry } from '../../../cli/declare.ts'
import { packTar, packZip } from '../../fixtures/archives.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const registry: Registry = {
  diff: { summary: diff.summary, load: async () => diff },
  breaking: { summary: breaking.summary, load: async () => breaking },
}
const api = (limit: string): string =>
  `openapi: 3.1.0\ninfo: { title: t, version: 1.0.0 }\npaths:\n  /p:\n    get:\n      parameters: [{ name: q, in: query, schema: ${limit} }]\n      responses: { "200": { description: ok } }\n`
const limit = (most: number): string => `{ type: string, maxLength: ${most} }`
const old: Record<string, string> = {
  'a/api.yaml': api('{ $ref: ../common/q.yaml }'),
  'common/q.yaml': limit(20),
  'b.yaml': api(limit(5)),
  'gone.yaml': api(limit(5)),
  'notes.txt': 'notes',
}
const now: Record<string, string> = {
  'a/api.yaml': api('{ $ref: ../common/q.yaml }'),
  'common/q.yaml': limit(10),
  'b.yaml': api(limit(5)),
  'fresh.json': '{"type":"object","properties":{}}',
  'values.yaml': '{{ .Values }}: [',
}

let cwd = ''
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-folders-'))
  for (const [top, files] of [['old', old] as const, ['new', now] as const]) {
    const entries = Object.entries(files).map(([path, content]) => ({ path, content }))
    for (const { path, content } of entries) await Bun.write(join(cwd, top, path), content)
    await Bun.write(join(cwd, `${top}.zip`), packZip(entries))
    const inFolder = entries.map((it) => ({ ...it, path: `${top}-1.0/${it.path}` }))
    await Bun.write(join(cwd, `${top}.tar.gz`), Bun.gzipSync(packTar(inFolder)))
    await Bun.write(join(cwd, `${top}.tar`), packTar(inFolder))
  }
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (...argv: string[]) => runCommand(argv, registry, { cwd })

interface Envelope {
  readonly summary: { readonly files: unknown; readonly skipped: unknown; readonly outcome: string }
  readonly changes: readonly { readonly id: string; readonly file: string; readonly head: { source: string } | null }[]
}
const envelopeOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Envelope

describe('folders and archives', () => {
  for (const [base, head] of [
    ['old', 'new'],
    ['old', 'new.zip'],
    ['old.zip', 'new.tar.gz'],
    ['old.tar.gz', 'new.tar.gz'],
    ['old.tar', 'new'],
  ] as const)
    test(`${base} against ${head}: files are paired by path and parts belong to their documents`, async () => {
      const { summary, changes } = envelopeOf(await run('diff', base, head, '--json'))
      const counts = (breaks: number, safe: number) => ({ breaking: breaks, 'non-breaking': safe, 'docs-only': 0 })
      expect(summary.files).toEqual([
        { file: 'a/api.yaml', status: 'changed', counts: counts(1, 0), maxSeverity: 'breaking' },
        { file: 'b.yaml', status: 'unchanged', counts: counts(0, 0), maxSeverity: null },
        { file: 'fresh.json', status: 'added', counts: counts(0, 1), maxSeverity: 'non-breaking' },
        { file: 'gone.yaml', status: 'removed', counts: counts(1, 0), maxSeverity: 'breaking' },
      ])
      expect(summary.skipped).toEqual(['notes.txt', 'values.yaml'])
      expect(changes.map(({ id, file }) => `${file} ${id}`)).toEqual([
        'a/api.yaml schema-max-length-decreased',
        'gone.yaml document-removed',
        'fresh.json document-added',
      ])
      const top = head === 'new.tar.gz' ? 'new.tar.gz/new-1.0' : head
      expect(changes[0]?.head?.source).toBe(`${top}/common/q.yaml`)
      expect((await run('breaking', base, head)).exit).toBe(4)
    })

  test('every format names the files', async () => {
    for (const format of ['text', 'markdown', 'html', 'junit', 'sarif', 'gitlab', 'github-actions', 'ndjson']) {
      const { stdout } = await run('diff', 'old', 'new', '--format', format)
      for (const name of ['a/api.yaml', 'gone.yaml'])
        expect([format, stdout.includes(name) || stdout.includes('new/common/q.yaml')]).toEqual([format, true])
    }
  })

  test('equal trees have no differences, and a removed file can be accepted', async () => {
    expect(envelopeOf(await run('diff', 'old', 'old.tar.gz', '--json')).summary.outcome).toBe('unchanged')
    await Bun.write(join(cwd, 'accept.yaml'), '- { match: document-removed, reason: moved }\n')
    const accepted = await run('diff', 'old', 'new', '--ignore', 'accept.yaml', '--json')
    expect(envelopeOf(accepted).changes.map(({ id }) => id)).toEqual(['schema-max-length-decreased', 'document-added'])
  })

  test('a description that cannot be read is an error, never skipped', async () => {
    await Bun.write(join(cwd, 'broken', 'b.yaml'), 'openapi: 3.1.0\n\tinfo: x\n')
    const { exit, stderr } = await run('diff', 'old', 'broken')
    expect(exit).toBe(6)
    expect(stderr).toContain('broken/b.yaml:2:1')
  })

  test('an archive contains what its documents refer to', async () => {
    await Bun.write(
      join(cwd, 'out.zip'),
      packZip([{ path: 'b.yaml', content: api('{ $ref: ../../old/common/q.yaml }') }]),
    )
    const { exit, stderr } = await run('diff', 'old.zip', 'out.zip')
    expect(exit).toBe(6)
    expect(stderr).toContain('is not in the archive')
  })

  test('a folder and a file cannot be compared; neither can two folders without descriptions', async () => {
    expect((await run('diff', 'old', 'new/b.yaml')).exit).toBe(2)
    expect((await run('diff', 'old', 'new', '--tag', 'pets')).exit).toBe(2)
    await Bun.write(join(cwd, 'texts', 'a.txt'), 'a')
    expect((await run('diff', 'texts', 'texts')).exit).toBe(2)
    expect((await run('diff', 'nowhere', 'new')).exit).toBe(2)
    const { exit, stdout } = await run('breaking', 'nowhere', 'new', '--allow-missing-base')
    expect([exit, stdout.includes('3 files compared: 3 added.')]).toEqual([0, true])
  })
})
