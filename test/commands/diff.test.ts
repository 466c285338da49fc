import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import breaking from '../../commands/breaking.ts'
import diff from '../../commands/diff.ts'
import type { Registry } from '../../cli/declare.ts'
import { runCommand } from '../fixtures/run-command.ts'

const registry: Registry = {
  diff: { summary: diff.summary, load: async () => diff },
  breaking: { summary: breaking.summary, load: async () => breaking },
}
const text = (maxLength: number, title = 'Pets'): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: {
      '/pets': {
        get: {
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', maxLength } }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  })

let cwd = ''
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-diff-'))
  await Bun.write(join(cwd, 'old.json'), text(20))
  await Bun.write(join(cwd, 'new.json'), text(10))
  await Bun.write(join(cwd, 'wide.json'), text(30))
  await Bun.write(join(cwd, 'docs.json'), text(20, 'Animals'))
  await Bun.write(join(cwd, 'part.yaml'), 'type: string\nmaxLength: 5\n')
  const split = text(5).replace('{"type":"string","maxLength":5}', '{"$ref":"./part.yaml"}')
  await Bun.write(join(cwd, 'split.json'), split)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (...argv: string[]) => runCommand(argv, registry, { cwd })

describe('svc diff', () => {
  test('fails on what was asked and says why', async () => {
    const { exit, stdout } = await run('diff', 'old.json', 'new.json', '--fail-on', 'breaking')
    expect(exit).toBe(4)
    expect(stdout).toContain('1 breaking change: old.json → new.json')
    expect(stdout).toContain('Clients that send "aaaaaaaaaaa" will be rejected')
  })

  test('succeeds when nobody asked to fail, and below the limit', async () => {
    expect((await run('diff', 'old.json', 'new.json')).exit).toBe(0)
    expect((await run('diff', 'new.json', 'old.json', '--fail-on', 'breaking')).exit).toBe(0)
    expect((await run('diff', 'new.json', 'old.json', '--fail-on', 'non-breaking')).exit).toBe(4)
    expect((await run('breaking', 'old.json', 'new.json')).exit).toBe(4)
    expect((await run('breaking', 'old.json', 'wide.json')).exit).toBe(0)
  })

  test('has three empty states', async () => {
    expect((await run('diff', 'old.json', 'old.json', '--format', 'md')).stdout).toContain('## ✅ Nothing changed')
    expect((await run('diff', 'old.json', 'docs.json', '--format', 'md')).stdout).toContain(
      '## ✅ Only documentation changed',
    )
    expect((await run('diff', 'old.json', 'wide.json', '--format', 'md')).stdout).toContain(
      '## ✅ 1 change, none of them breaking',
    )
  })

  test('writes several reports and one envelope', async () => {
    const { exit, stdout } = await run(
      'diff',
      'old.json',
      'new.json',
      '--json',
      '--report',
      'sarif=a.sarif',
      '--report',
      'junit=a.xml',
      '--fail-on',
      'breaking',
    )
    expect(exit).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'diff',
      ok: false,
      exitCode: 4,
      summary: { maxSeverity: 'breaking', verdict: 'breaking', counts: { breaking: 1 } },
      changes: [{ severity: 'breaking' }],
    })
    expect(await Bun.file(join(cwd, 'a.sarif')).json()).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ level: 'error' }] }],
    })
    expect(await Bun.file(join(cwd, 'a.xml')).text()).toContain('failures="1"')
  })

  test('takes standard input and documents of several files', async () => {
    const { stdout, exit } = await runCommand(['diff', '-', 'old.json', '--fail-on', 'breaking'], registry, {
      cwd,
      stdin: text(30),
    })
    expect([exit, stdout.includes('- → old.json')]).toEqual([4, true])
    expect((await run('breaking', 'old.json', 'split.json')).exit).toBe(4)
    await Bun.write(join(cwd, 'inline.json'), text(5))
    expect((await run('diff', 'split.json', 'inline.json', '--fail-on', 'docs-only')).exit).toBe(0)
  })

  test('refuses what it cannot use', async () => {
    for (const argv of [
      ['diff', 'absent.json', 'new.json'],
      ['diff', 'old.json', 'new.json', '--format', 'odd'],
      ['diff', 'old.json', 'new.json', '--report', 'md'],
      ['diff', '-', '-'],
      ['diff', 'old.json', 'new.json', '--severity', 'x=loud'],
    ]) {
      expect((await run(...argv)).exit).toBe(2)
    }
    await Bun.write(join(cwd, 'broken.json'), '{"openapi": ')
    expect((await run('diff', 'broken.json', 'new.json')).exit).toBe(6)
  })

  test('leaves out what was accepted with a reason', async () => {
    await Bun.write(
      join(cwd, 'ignore.yaml'),
      '- match: schema-max-length-decreased\n  reason: no client sends more\n  until: 2030-01-01\n',
    )
    expect(
      (await run('breaking', 'old.json', 'new.json', '--ignore', 'ignore.yaml', '--as-of', '2029-12-31')).exit,
    ).toBe(0)
    expect(
      (await run('breaking', 'old.json', 'new.json', '--ignore', 'ignore.yaml', '--as-of', '2030-01-02')).exit,
    ).toBe(4)
  })

  test('names the consumers that a change affects', async () => {
    await Bun.write(join(cwd, 'who.yaml'), 'consumers:\n  - { handle: shop, operations: [GET /pets] }\n')
    const { stdout } = await run('diff', 'old.json', 'new.json', '--consumers', 'who.yaml')
    expect(stdout).toContain('affects shop')
    const wrong = await run('diff', 'old.json', 'new.json', '--consumers', 'part.yaml')
    expect([wrong.exit, wrong.stderr.includes('is not a list of consumers')]).toEqual([2, true])
  })

  test('compares schemas in one mode and with every earlier revision', async () => {
    await Bun.write(join(cwd, 'v1.json'), '{"type":"string","maxLength":9}')
    await Bun.write(join(cwd, 'v2.json'), '{"type":"string","maxLength":3}')
    await Bun.write(join(cwd, 'v3.json'), '{"type":"string","maxLength":5}')
    const summary = async (...argv: string[]) => JSON.parse((await run('diff', ...argv, '--json')).stdout).summary
    expect((await summary('v2.json', 'v3.json', '--mode', 'backward')).verdict).toBe('safe')
    const forward = await summary('v2.json', 'v3.json', '--mode', 'forward')
    expect([forward.verdict, forward.witness.acceptedBy]).toEqual(['breaking', 'head'])
    const all = ['v2.json', 'v3.json', '--mode', 'backward-transitive', '--earlier', 'v1.json']
    const transitive = await summary(...all)
    expect(transitive.verdict).toBe('breaking')
    expect(transitive.revisions.map((it: { verdict: string }) => it.verdict)).toEqual(['safe', 'breaking'])
    expect((await run('breaking', ...all)).exit).toBe(4)
    expect((await run('diff', 'v2.json', 'v3.json', '--mode', 'full', '--earlier', 'v1.json')).exit).toBe(2)
  })

  test('reads addresses', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(text(20)) })
    try {
      const address = `http://127.0.0.1:${server.port}/openapi.json`
      expect((await run('breaking', address, 'new.json')).exit).toBe(4)
      expect((await run('breaking', address, 'old.json')).exit).toBe(0)
    } finally {
      await server.stop(true)
    }
  })

  test('refuses severities of rules that do not exist', async () => {
    expect((await run('diff', 'old.json', 'new.json', '--severity', 'no-such=breaking')).exit).toBe(2)
    const milder = await run(
      'breaking',
      'old.json',
      'new.json',
      '--severity',
      'schema-max-length-decreased=non-breaking',
    )
    expect(milder.exit).toBe(0)
  })
})
