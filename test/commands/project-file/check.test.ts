/** `svc check`: all gates of the APIs of a svc.yaml. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-project-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const git = (...args: string[]): void => {
  const done = Bun.spawnSync(['git', '-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: folder })
  expect(done.exitCode).toBe(0)
}
const rules = `rules:
  title-long: { severity: error, given: $.info.title, message: too short, then: { function: length, functionOptions: { min: 4 } } }
  no-version: { severity: warn, given: $.info, message: has a version, then: { field: version, function: falsy } }
`
const api = (title: string, ...paths: string[]): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: '1' }\npaths:\n${paths
    .map((it) => `  /${it}: { get: { operationId: ${it}, responses: { '200': { description: ok } } } }\n`)
    .join('')}`
const settings = `guide: rules.yaml
compareWith: git:HEAD
apis:
  good: good.yaml
  short: { root: sub/short.yaml, diff: { failOn: none } }
  broken: { root: broken.yaml, project: broken }
`

beforeAll(() => {
  git('init', '-q')
  write('rules.yaml', rules)
  write('good.yaml', api('Good', 'a'))
  write('sub/short.yaml', api('S', 'a', 'b'))
  write('broken.yaml', api('Broken', 'a', 'b'))
  git('add', '.')
  git('commit', '-qm', 'first')
  write('sub/short.yaml', api('S', 'a'))
  write('broken.yaml', api('Broken', 'a'))
  write('svc.yaml', settings)
})

interface Answer {
  readonly exitCode: number
  readonly summary: {
    readonly apis: readonly {
      readonly api: string
      readonly gates: readonly { readonly gate: string; readonly status: string; readonly detail: string }[]
    }[]
  }
  readonly findings: readonly {
    readonly source: string
    readonly code: string
    readonly severity: string
    readonly message: string
    readonly range: { readonly start: { readonly line: number } }
  }[]
}
const svc = (line: string, cwd = '.') =>
  runCommand(line.split(' '), registry, {
    cwd: join(folder, cwd),
    env: { HOME: folder, PATH: process.env.PATH ?? '', SVC_WORKSPACE: join(folder, '.svc'), SVC_CACHE: '0' },
  })
const check = async (line = '', cwd = '.') => {
  const { stdout } = await svc(`check ${line} --json`.replace('  ', ' '), cwd)
  const { exitCode, summary, findings } = JSON.parse(stdout) as Answer
  return {
    exitCode,
    gates: summary.apis.map(({ api: name, gates }) =>
      [name, ...gates.map((it) => `${it.gate} ${it.status} (${it.detail})`)].join(' | '),
    ),
    findings: findings.map((it) => `${it.source}:${it.range.start.line + 1} ${it.code} ${it.severity}`),
  }
}

const off = 'consumers off (not asked for)'

test('each gate of each API is evaluated, from any folder', async () => {
  const gates = [
    `good | lint passed (A, 1 warning) | changes passed (none) | ${off}`,
    `short | lint failed (B, 1 error, 1 warning) | changes passed (1 breaking) | ${off}`,
    `broken | lint passed (A, 1 warning) | changes failed (1 breaking) | ${off}`,
  ]
  expect(await check()).toEqual({
    exitCode: 4,
    gates,
    findings: [
      'good.yaml:2 no-version warning',
      'sub/short.yaml:2 title-long error',
      'sub/short.yaml:2 no-version warning',
      'broken.yaml:2 no-version warning',
      'broken.yaml:3 operation-removed error',
    ],
  })
  expect((await check('', 'sub')).gates).toEqual(gates)
  expect(await check('good')).toMatchObject({ exitCode: 0, gates: [gates[0]] })
  expect(await check('short.yaml broken --fail-on none', 'sub')).toMatchObject({
    exitCode: 4,
    gates: [`short | lint passed (B, 1 error, 1 warning) | changes passed (1 breaking) | ${off}`, gates[2]],
  })
  expect(await check('good --min-grade A')).toMatchObject({ exitCode: 0 })
  expect((await check('short --fail-on none --min-grade A')).gates).toEqual([
    `short | lint failed (B (below A), 1 error, 1 warning) | changes passed (1 breaking) | ${off}`,
  ])
})

test('people see a table and what failed', async () => {
  const { exit, stdout } = await svc('check')
  expect(exit).toBe(4)
  expect(stdout).toStartWith(`API     LINT                           CHANGES
good    passed: A, 1 warning           passed: none
short   failed: B, 1 error, 1 warning  passed: 1 breaking
broken  passed: A, 1 warning           failed: 1 breaking

`)
  expect(stdout).toEndWith('3 APIs checked: 2 failed (short, broken).\n')
  expect((await svc('check good')).stdout).toBe(
    'API   LINT                  CHANGES\ngood  passed: A, 1 warning  passed: none\n\n1 API checked: all passed.\n',
  )
})

test('reports of continuous integration have findings and changes', async () => {
  const annotations = (await svc('check --format github-actions')).stdout.split('\n')
  expect(annotations.filter((it) => it.startsWith('::error'))).toEqual([
    '::error file=sub/short.yaml,line=2,endLine=2,col=16,endColumn=17,title=title-long::too short',
    '::error file=broken.yaml,line=3,endLine=3,col=1,endColumn=6,title=operation-removed::GET /b was removed',
  ])
  const junit = (await svc('check --format junit')).stdout
  expect(junit.match(/<failure/g)).toHaveLength(2)
  expect(junit.match(/<testsuite /g)).toHaveLength(3)
  expect((await svc('check --format markdown')).stdout).toStartWith(
    '| API | LINT | CHANGES |\n| --- | --- | --- |\n| good |',
  )
  const sarif = JSON.parse((await svc('check --format sarif')).stdout) as {
    runs: { results: { ruleId: string; level: string }[] }[]
  }
  expect(sarif.runs[0]?.results.map((it) => `${it.ruleId} ${it.level}`)).toContain('operation-removed error')
})

test('a gate without a base fails the run unless that is allowed', async () => {
  write('new.yaml', api('Newer', 'a'))
  write('svc.yaml', `${settings}  new: new.yaml\n`)
  expect(await check('new')).toEqual({
    exitCode: 2,
    gates: [`new | lint passed (A, 1 warning) | changes skipped (no base) | ${off}`],
    findings: ['new.yaml:1 skipped-gate error', 'new.yaml:2 no-version warning'],
  })
  expect(await check('new --allow-skipped')).toMatchObject({
    exitCode: 0,
    findings: ['new.yaml:1 skipped-gate info', 'new.yaml:2 no-version warning'],
  })
  expect(await check('new --allow-missing-base')).toMatchObject({
    exitCode: 0,
    gates: [`new | lint passed (A, 1 warning) | changes passed (1 compatible) | ${off}`],
  })
  write('bad.yaml', 'openapi: 3.1.0\n\tinfo: x\n')
  write('svc.yaml', 'apis: { bad: bad.yaml, gone: gone.yaml, good: good.yaml }\n')
  const told = JSON.parse((await svc('check gone --json')).stdout) as Answer
  expect(told.findings.map((it) => it.message)).toEqual([
    'The gate "lint" was not evaluated: There is no file "gone.yaml", which svc.yaml:1:30 names; did you mean "good.yaml"?',
  ])
  const { exitCode, gates } = await check()
  expect([exitCode, gates.map((it) => it.split(' | ').slice(0, 2).join(' | '))]).toEqual([
    2,
    ['bad | lint failed (F, 1 error)', 'gone | lint failed (file-not-found)', 'good | lint passed (B, 5 warnings)'],
  ])
  write('svc.yaml', settings)
})

test('registered consumers of the project are a gate where they are asked for', async () => {
  expect(await check('broken --consumers')).toMatchObject({
    exitCode: 2,
    gates: [
      'broken | lint passed (A, 1 warning) | changes failed (1 breaking) | consumers skipped (project-not-found)',
    ],
  })
  write('before.yaml', api('Broken', 'a', 'b'))
  write('uses.json', JSON.stringify({ operations: [{ method: 'get', path: '/b' }] }))
  for (const line of [
    'import openapi before.yaml --publish public --quiet',
    'consumer create broken shop-front',
    'consumer declare broken shop-front uses.json',
  ]) {
    const { exit, stderr } = await svc(line)
    expect([line, exit, stderr]).toEqual([line, 0, stderr])
  }
  expect(await check('good broken --consumers')).toMatchObject({
    exitCode: 3,
    gates: [
      'good | lint passed (A, 1 warning) | changes passed (none) | consumers off (no project)',
      'broken | lint passed (A, 1 warning) | changes failed (1 breaking) | consumers failed (1 of 1 consumer affected)',
    ],
  })
})

test('large documents are checked in processes of their own, which are ended at the deadline', async () => {
  const many = Array.from({ length: 6000 }, (_, at) => `p${at}`)
  write('large/one.yaml', api('Large', ...many))
  write('large/two.yaml', api('Large', ...many))
  write('svc.yaml', 'guide: rules.yaml\napis: { one: large/one.yaml, two: large/two.yaml }\n')
  const passed = 'lint passed (A, 1 warning) | changes off (no base)'
  expect(await check()).toEqual({
    exitCode: 0,
    gates: [`one | ${passed} | ${off}`, `two | ${passed} | ${off}`],
    findings: ['large/one.yaml:2 no-version warning', 'large/two.yaml:2 no-version warning'],
  })
  const { stdout } = await runCommand(['check', '--json'], registry, {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? '', SVC_CACHE: '0', SVC_ANALYSIS_DEADLINE: '1ms' },
  })
  const { exitCode, findings } = JSON.parse(stdout) as Answer
  expect([exitCode, findings.map((it) => it.message)]).toEqual([
    6,
    ['one', 'two'].map(
      (it) =>
        `The gate "lint" was not evaluated: The check of large/${it}.yaml was stopped: it took longer than 0.002 seconds.`,
    ),
  ])
  write('svc.yaml', settings)
})

test('without svc.yaml there is nothing to check', async () => {
  rmSync(join(folder, 'svc.yaml'))
  const { exit, stderr } = await svc('check')
  expect([exit, stderr]).toEqual([
    2,
    `error: There is no svc.yaml in "${folder}" or a folder above it.
hint: Run "svc init" to create one for the documents and settings of the repository.
(project-file-missing; svc explain project-file-missing)
`,
  ])
  write('svc.yaml', settings)
  expect((await svc('check gooood')).stderr).toStartWith(
    'error: There is no API "gooood" in svc.yaml; did you mean "good"?\n',
  )
})
