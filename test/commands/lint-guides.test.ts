/** Which ruleset `svc lint` applies, and what it says of rulesets, rules and files that it cannot use. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-guides-'))
const rule = (name: string, given = '$', fn = 'falsy'): string =>
  `  ${name}: { given: '${given}', severity: warn, then: { function: ${fn} } }\n`
const api = 'openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths: {}\n'
const files: Readonly<Record<string, string>> = {
  'repo/.git/HEAD': 'ref: refs/heads/main\n',
  'repo/spectral.yml': `rules:\n${rule('top')}overrides:\n  - files: ['apis/deep/*.yaml']\n    rules: { top: off }\n`,
  'repo/apis/api.yaml': api,
  'repo/apis/deep/api.yaml': api,
  'repo/own/.spectral.json': '{"rules":{"own":{"given":"$","then":{"function":"falsy"}}}}',
  'repo/own/api.yaml': api,
  'repo/code/.spectral.mjs':
    "export default { rules: { coded: { given: '$', then: { function: () => [{ message: 'm' }] } } } }",
  'repo/code/api.yaml': api,
  'other/.git': 'gitdir: elsewhere\n',
  'other/api.yaml': api,
  'spectral.yaml': `rules:\n${rule('outside')}`,
  'partly.yaml': `aliases: { Broken: ['$.a['] }\nrules:\n${rule('kept')}${rule('bad', '$.paths[')}${rule('unknown', '#Nothing')}${rule('aliased', '#Broken')}`,
  'folder/api.yaml': api,
  'folder/binary.json': '\u0000\u0001',
  'folder/empty.yaml': '',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Envelope {
  readonly findings: readonly { code: string; severity: string; source: string; message: string }[]
  readonly summary: { readonly guide: string; readonly skipped?: readonly object[] }
}

async function lint(where: string, line: string): Promise<Envelope & { exit: number; stderr: string }> {
  const { exit, stdout, stderr } = await runCommand(['lint', ...line.split(' '), '--json'], registry, {
    cwd: join(folder, where),
    env: {},
  })
  return { ...(JSON.parse(stdout) as Envelope), exit, stderr }
}
const outcome = async (where: string, line = 'api.yaml') => {
  const { exit, findings, summary } = await lint(where, line)
  return [exit, summary.guide, findings.map(({ code }) => code)]
}

test('a ruleset of the folder, or of the nearest folder above in the repository, is applied; its globs are relative to it', async () => {
  expect(await outcome('repo/own')).toEqual([0, '.spectral.json', ['own']])
  expect(await outcome('repo/apis')).toEqual([0, '../spectral.yml', ['top']])
  // Without any rule nothing can be graded, and a finding says why: 5.
  expect(await outcome('repo/apis', 'deep/api.yaml')).toEqual([5, '../spectral.yml', ['no-rules']])
  expect(await outcome('repo/apis/deep')).toEqual([5, '../../spectral.yml', ['no-rules']])
})

test('a search ends at the root of the repository', async () => {
  const [, guide] = await outcome('other')
  expect(guide).toBe('svc:recommended')
})

test('a ruleset that is a program is refused unless the user allows it', async () => {
  const { exit, stderr } = await runCommand(['lint', 'api.yaml'], registry, { cwd: join(folder, 'repo/code'), env: {} })
  expect([exit, stderr.split('\n')[0]]).toEqual([
    2,
    'error: The ruleset .spectral.mjs is a JavaScript program; --allow-functions runs it with your permissions',
  ])
  expect(await outcome('repo/code', 'api.yaml --allow-functions')).toEqual([0, '.spectral.mjs', ['coded']])
})

test('a rule with a path that cannot be read is skipped by name, and the run fails unless that is allowed', async () => {
  const file = `${join(folder, 'folder/api.yaml')} --guide partly.yaml`
  const skipped = [
    ['bad', 'Invalid JSONPath "$.paths[": unclosed bracket (at character 8)'],
    ['unknown', 'Unknown alias in "#Nothing"; "aliases" of the ruleset must define it'],
    ['aliased', 'Invalid JSONPath "$.a[": unclosed bracket (at character 4)'],
  ]
  for (const [flag, exit, severity] of [
    ['', 2, 'error'],
    [' --allow-skipped', 0, 'info'],
  ] as const) {
    const got = await lint('.', file + flag)
    expect(got.exit).toBe(exit)
    expect(got.findings.map((it) => [it.code, it.severity, it.source, it.message]).slice(0, 3)).toEqual(
      skipped.map(([name, why]) => [
        'skipped-rule',
        severity,
        'partly.yaml',
        `The rule "${name}" was not applied: ${why}.`,
      ]),
    )
    expect(got.findings.slice(3).map(({ code }) => code)).toEqual(['kept'])
    expect(got.summary.skipped).toEqual(skipped.map(([name, reason]) => ({ kind: 'rule', name, reason: `${reason}.` })))
  }
})

test('a file of a folder that cannot be read is reported, an empty one too', async () => {
  const got = await lint('.', 'folder --guide spectral:oas')
  expect([got.exit, got.findings.filter(({ code }) => code.startsWith('skipped')).map(({ source }) => source)]).toEqual(
    [6, ['folder/binary.json', 'folder/empty.yaml']],
  )
  expect((await lint('.', 'folder --guide spectral:oas --allow-skipped')).exit).toBe(0)
})

test('SARIF has what was skipped as notifications, JUnit as a case of its own', async () => {
  const run = async (format: string): Promise<string> =>
    (
      await runCommand(['lint', 'folder/api.yaml', '--guide', 'partly.yaml', '--format', format], registry, {
        cwd: folder,
        env: {},
      })
    ).stdout
  const { runs } = JSON.parse(await run('sarif')) as {
    runs: readonly {
      invocations: readonly {
        executionSuccessful: boolean
        toolConfigurationNotifications: readonly { descriptor: { id: string }; level: string }[]
      }[]
      results: readonly { ruleId: string }[]
    }[]
  }
  const [first] = runs
  expect(first?.results.map(({ ruleId }) => ruleId)).toEqual(['kept'])
  expect(first?.invocations).toHaveLength(1)
  expect(first?.invocations[0]?.executionSuccessful).toBe(false)
  expect(first?.invocations[0]?.toolConfigurationNotifications.map((it) => [it.descriptor.id, it.level])).toEqual(
    Array.from({ length: 3 }, () => ['skipped-rule', 'error']),
  )
  const junit = await run('junit')
  // A warning fails no run with --fail-on error, so its case passes.
  expect([...junit.matchAll(/<testcase name="([^"]+)"[^>]*?(\/?)>/g)].map(([, name, ended]) => [name, ended])).toEqual([
    ['kept', '/'],
    ['skipped-rule', ''],
  ])
})
