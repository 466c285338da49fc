/** How an organization classifies changes: options, configuration, accepted changes with reason and expiry date. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import breaking from '../../../commands/breaking.ts'
import diff from '../../../commands/diff.ts'
import type { Change } from '../../../src/diff/change.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const registry = registryOf({ diff, breaking })
const specification = (most: number, operationId: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        get: {
          operationId,
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', maxLength: most } }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  })

let cwd = ''
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-judging-'))
  await Bun.write(join(cwd, 'old.json'), specification(20, 'a'))
  await Bun.write(join(cwd, 'new.json'), specification(10, 'b'))
  await Bun.write(join(cwd, 'moved.json'), specification(20, 'b'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (...argv: string[]) => runCommand(argv, registry, { cwd })
const exitOf = async (...argv: string[]) => (await run('breaking', ...argv)).exit

test('a profile decides what the facts leave open', async () => {
  expect(await exitOf('old.json', 'moved.json')).toBe(0)
  expect(await exitOf('old.json', 'moved.json', '--profile', 'strict')).toBe(4)
})

describe('the rulebook', () => {
  const write = (text: string) => Bun.write(join(cwd, 'house.yaml'), text)
  const house = (...argv: string[]) => run('breaking', ...argv, '--config', 'house.yaml')

  test('sets profile, severities and accepted changes; options win', async () => {
    await write('profile: strict\n')
    expect((await house('old.json', 'moved.json')).exit).toBe(4)
    expect((await house('old.json', 'moved.json', '--profile', 'standard')).exit).toBe(0)
    await write('severity: { schema-max-length-decreased: non-breaking }\n')
    expect((await house('old.json', 'new.json')).exit).toBe(0)
    expect((await house('old.json', 'new.json', '--severity', 'schema-max-length-decreased=breaking')).exit).toBe(4)
    await write('ignore: [{ match: schema-max-length-decreased, reason: agreed }]\n')
    expect((await house('old.json', 'new.json')).exit).toBe(0)
  })

  test('is found in the folder', async () => {
    await Bun.write(join(cwd, 'svc-diff.yaml'), 'profile: strict\n')
    expect(await exitOf('old.json', 'moved.json')).toBe(4)
    rmSync(join(cwd, 'svc-diff.yaml'))
    expect(await exitOf('old.json', 'moved.json')).toBe(0)
  })

  test.each([
    ['profil: strict', 'unknown field "profil"; did you mean profile?'],
    ['profile: harsh', 'the profile is one of standard, strict, lenient'],
    ['severity: { schema-max-lenght-decreased: breaking }', 'did you mean schema-max-length-decreased?'],
    ['severity: { schema-max-length-decreased: loud }', 'is one of breaking, non-breaking, docs-only'],
    ['severity: [a]', 'must be a map from rules to severities'],
    ['ignore: [{ match: x }]', '"ignore": entry 1 gives no reason'],
    ['[]', 'it has to be an object'],
    ['a: [', 'house.yaml:1:'],
  ])('refuses %s', async (text, said) => {
    await write(text)
    const { exit, stderr } = await house('old.json', 'new.json')
    expect([exit, stderr]).toEqual([2, expect.stringContaining(said)])
  })
})

test('a change is accepted by its fingerprint, or by its beginning as the text shows it', async () => {
  const { stdout } = await run('diff', 'old.json', 'new.json', '--format', 'json')
  const [change] = (JSON.parse(stdout) as { changes: readonly Change[] }).changes
  const shown = /#([0-9a-f]{8})/.exec((await run('diff', 'old.json', 'new.json')).stdout)?.[1]
  expect(change?.fingerprint.slice(0, 8)).toBe(shown)
  for (const match of [change!.fingerprint, `#${shown}`]) {
    await Bun.write(join(cwd, 'ignore.yaml'), `- { match: "${match}", reason: agreed, until: 2030-01-31 }\n`)
    expect(await exitOf('old.json', 'new.json', '--ignore', 'ignore.yaml', '--as-of', '2030-01-31')).toBe(0)
    const over = await run('breaking', 'old.json', 'new.json', '--ignore', 'ignore.yaml', '--as-of', '2030-02-01')
    expect([over.exit, over.stderr]).toEqual([4, `warning: The acceptance of ${match} ended on 2030-01-31: agreed\n`])
  }
  const idle = await run('breaking', 'old.json', 'moved.json', '--ignore', 'ignore.yaml', '--as-of', '2030-01-01')
  expect([idle.exit, idle.stderr]).toEqual([0, `warning: The acceptance of #${shown} matches nothing here: agreed\n`])
})

test('every report is written before the exit code is set, also beside one that cannot be', async () => {
  const reports = [
    'md=out/a.md',
    'sarif=out/a.sarif',
    'junit=out/deep/a.xml',
    'html=old.json/x.html',
    'gitlab=out/a.json',
  ]
  const { exit, stderr } = await run('breaking', 'old.json', 'new.json', ...reports.flatMap((it) => ['--report', it]))
  expect([exit, stderr.includes('Cannot write "old.json/x.html"')]).toEqual([2, true])
  for (const name of ['out/a.md', 'out/a.sarif', 'out/deep/a.xml', 'out/a.json'])
    expect(await Bun.file(join(cwd, name)).exists()).toBe(true)
})

test('what differs only from an earlier revision is reported too', async () => {
  await Bun.write(join(cwd, 'v1.json'), '{"type":"string","maxLength":9}')
  await Bun.write(join(cwd, 'v2.json'), '{"type":"string","maxLength":3}')
  await Bun.write(join(cwd, 'v3.json'), '{"type":"string","maxLength":5}')
  const all = ['v2.json', 'v3.json', '--mode', 'backward-transitive', '--earlier', 'v1.json']
  const { exit, stdout } = await run('breaking', ...all)
  expect(exit).toBe(4)
  expect(stdout).toStartWith('1 breaking change: v2.json → v3.json\n')
  expect(stdout).toContain('(since v1.json)')
  expect(await exitOf(...all.slice(0, 4))).toBe(0)
})
