/** `svc lint` in a repository with a svc.yaml. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-project-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const rule = (id: string, severity: string, given = '$.info'): string =>
  `  ${id}: { severity: ${severity}, given: ${given}, message: "${id}", then: { function: falsy } }\n`
const api = (title: string): string => `openapi: 3.1.0\ninfo: { title: ${title}, version: '1' }\npaths: {}\n`

beforeEach(() => {
  write('.git/HEAD', '')
  write('guides/house.yaml', `rules:\n${rule('house-info', 'warn')}${rule('house-off', 'off')}`)
  write('.spectral.yaml', `rules:\n${rule('found-info', 'warn')}`)
  write('apis/a/openapi.yaml', api('A'))
  write('apis/b/openapi.yaml', api('B'))
  write('apis/old/openapi.yaml', api('Old'))
  write('other.yaml', api('Other'))
  write(
    'svc.yaml',
    `failOn: warning
apis:
  a: { root: apis/a/openapi.yaml, guide: guides/house.yaml }
  b: apis/b/openapi.yaml
`,
  )
})

interface Answer {
  readonly exitCode: number
  readonly summary: {
    readonly guide: string
    readonly projectFile?: object
    readonly documents: readonly { readonly source: string }[]
  }
  readonly findings: readonly { readonly source: string; readonly code: string; readonly severity: string }[]
}

/** The findings as "source code severity", and the rest of what is asked. */
const lint = async (line: string, cwd = '.') => {
  const { stdout } = await runCommand([...`lint ${line}`.trim().split(' '), '--json'], registry, {
    cwd: join(folder, cwd),
  })
  const { exitCode, summary, findings } = JSON.parse(stdout) as Answer
  return {
    exitCode,
    guide: summary.guide,
    sources: summary.documents.map((it) => it.source),
    findings: findings.map((it) => `${it.source} ${it.code} ${it.severity}`),
  }
}

const refusal = async (line: string, cwd = '.'): Promise<string> => {
  const { exit, stderr } = await runCommand(`lint ${line}`.trim().split(' '), registry, { cwd: join(folder, cwd) })
  expect(exit).toBe(2)
  return stderr
}

test('without arguments the APIs of svc.yaml are checked, each by its guide, from any folder', async () => {
  expect(await lint('')).toEqual({
    exitCode: 4,
    guide: 'guides/house.yaml, .spectral.yaml',
    sources: ['apis/a/openapi.yaml', 'apis/b/openapi.yaml'],
    findings: ['apis/a/openapi.yaml house-info warning', 'apis/b/openapi.yaml found-info warning'],
  })
  expect(await lint('', 'apis/a')).toEqual({
    exitCode: 4,
    guide: '../../guides/house.yaml, ../../.spectral.yaml',
    sources: ['openapi.yaml', '../b/openapi.yaml'],
    findings: ['openapi.yaml house-info warning', '../b/openapi.yaml found-info warning'],
  })
})

test('a file of an API and the name of an API have its settings, other files the general ones', async () => {
  const onlyA = { exitCode: 4, guide: 'guides/house.yaml', sources: ['apis/a/openapi.yaml'] }
  expect(await lint('apis/a/openapi.yaml')).toMatchObject(onlyA)
  expect(await lint('a')).toMatchObject(onlyA)
  expect(await lint('other.yaml')).toEqual({
    exitCode: 4,
    guide: '.spectral.yaml',
    sources: ['other.yaml'],
    findings: ['other.yaml found-info warning'],
  })
  // A file that is called like an API is the file.
  write('a', api('File'))
  expect((await lint('a')).sources).toEqual(['a'])
  rmSync(join(folder, 'a'))
  expect((await lint('apis')).findings).toEqual([
    'apis/a/openapi.yaml house-info warning',
    'apis/b/openapi.yaml found-info warning',
    'apis/old/openapi.yaml found-info warning',
  ])
})

test('options win over svc.yaml, and it can be left out', async () => {
  expect((await lint('--fail-on error')).exitCode).toBe(0)
  expect(await lint('--guide guides/house.yaml')).toMatchObject({
    guide: 'guides/house.yaml',
    findings: ['apis/a/openapi.yaml house-info warning', 'apis/b/openapi.yaml house-info warning'],
  })
  expect(await lint('apis/a/openapi.yaml --no-project-file')).toMatchObject({ exitCode: 0, guide: '.spectral.yaml' })
})

test('each API fails by its own threshold', async () => {
  write(
    'svc.yaml',
    `apis:
  a: { root: apis/a/openapi.yaml, failOn: none }
  b: { root: apis/b/openapi.yaml, failOn: error, minGrade: A }
profiles:
  strict: { failOn: warning, apis: { a: { failOn: none } } }
`,
  )
  expect((await lint('')).exitCode).toBe(0)
  expect((await lint('a --profile strict')).exitCode).toBe(0)
  expect((await lint('b --profile strict')).exitCode).toBe(4)
  const { stdout } = await runCommand(['lint', '--profile', 'strict', '--format', 'junit'], registry, { cwd: folder })
  expect(
    stdout.match(/<(testcase|failure)[^>]*name="[^"]*"|<failure/g)?.filter((it) => it.startsWith('<failure')),
  ).toEqual(['<failure'])
  expect((await runCommand(['lint', '--profile', 'strict', '-D'], registry, { cwd: folder })).stdout).toContain(
    'Settings: svc.yaml (a, b; profile strict).\n',
  )
})

test('rules and overrides change severities, also of builtin rules and of rules that are off', async () => {
  write(
    'svc.yaml',
    `rules: { house-off: info }
apis:
  a:
    root: apis/a/openapi.yaml
    guide: guides/house.yaml
    overrides:
      - { files: ['apis/b/**', '#/info'], rules: { house-info: error } }
      - { files: ['apis/a/*.yaml'], rules: { info-description: hint } }
  b: { root: apis/b/openapi.yaml, guide: guides/house.yaml, ignore: ['apis/b/openapi.yaml#/info'] }
`,
  )
  expect((await lint('', 'apis')).findings).toEqual([
    'a/openapi.yaml house-info error',
    'a/openapi.yaml house-off info',
    'a/openapi.yaml info-description hint',
  ])
  write(
    'svc.yaml',
    'apis:\n  a:\n    root: apis/a/openapi.yaml\n    rules: { house-inf: off }\n    guide: guides/house.yaml\n',
  )
  expect(await refusal('')).toBe(
    `error: Invalid configuration in svc.yaml:
  svc.yaml:4:14: There is no rule "house-inf" in guides/house.yaml, and none is builtin; did you mean "house-info"?
hint: Correct the file; "svc schema project-file" prints its JSON Schema, with a description of each property.
(project-file-invalid; svc explain project-file-invalid)
`,
  )
})

test('each API has its baseline, and one baseline can be written for all', async () => {
  expect((await runCommand(['lint', '--write-baseline', 'all.json'], registry, { cwd: folder })).exit).toBe(0)
  const { findings } = JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')) as { findings: { source: string }[] }
  expect(findings.map((it) => it.source)).toEqual(['apis/a/openapi.yaml', 'apis/b/openapi.yaml'])
  write(
    'svc.yaml',
    `failOn: warning
apis:
  a: { root: apis/a/openapi.yaml, guide: guides/house.yaml, baseline: all.json }
  b: apis/b/openapi.yaml
`,
  )
  expect(await lint('', 'apis')).toMatchObject({ exitCode: 4, findings: ['b/openapi.yaml found-info warning'] })
  expect((await lint('a')).exitCode).toBe(0)
  expect((await lint('a --fail-on-new')).exitCode).toBe(0)
  expect(await refusal('b --fail-on-new')).toStartWith(
    'error: --fail-on-new requires --baseline, or a baseline in svc.yaml\n',
  )
})

test('waivers of svc.yaml name files from its folder, wherever the run is', async () => {
  const waiver = (rule: string, file: string): string =>
    `  - { rule: ${rule}, file: ${file}, owner: a, reason: later, expires: 2999-12-31 }\n`
  write('rules/waivers.yaml', `waivers:\n${waiver('house-info', 'apis/a/*.yaml')}${waiver('found-info', 'b/*.yaml')}`)
  write(
    'svc.yaml',
    `waivers: rules/waivers.yaml
apis:
  a: { root: apis/a/openapi.yaml, guide: guides/house.yaml }
  b: apis/b/openapi.yaml
`,
  )
  const run = async (line: string, cwd: string) => {
    const { findings } = await lint(line, cwd)
    return findings.filter((it) => !it.includes('unused-suppression'))
  }
  expect(await run('', '.')).toEqual(['apis/b/openapi.yaml found-info warning'])
  expect(await run('', 'apis')).toEqual(['b/openapi.yaml found-info warning'])
  expect(await run('', 'apis/b')).toEqual(['openapi.yaml found-info warning'])
  expect(await run('openapi.yaml', 'apis/a')).toEqual([])
  // Those of an option name files as its folder does.
  expect(await run('--waivers ../rules/waivers.yaml', 'apis')).toEqual(['a/openapi.yaml house-info warning'])
})

test('a root that does not exist is named with its place in svc.yaml', async () => {
  write('svc.yaml', 'apis:\n  a: apis/a/openapi.yaml\n  b: { root: apis/b/openapi.yml }\n')
  const said = (root: string, file: string, near: string): string =>
    `error: There is no file "${root}", which ${file}:3:14 names; did you mean "${near}"?\n`
  expect(await refusal('')).toStartWith(said('apis/b/openapi.yml', 'svc.yaml', 'apis/b/openapi.yaml'))
  expect(await refusal('b')).toStartWith(said('apis/b/openapi.yml', 'svc.yaml', 'apis/b/openapi.yaml'))
  expect(await refusal('b', 'apis')).toStartWith(said('b/openapi.yml', '../svc.yaml', 'b/openapi.yaml'))
})

test('what cannot be used is refused', async () => {
  expect(await refusal('--profile ci')).toStartWith(
    'error: Invalid configuration in svc.yaml:\n  svc.yaml:1:1: There is no profile "ci"; the file has none\n',
  )
  rmSync(join(folder, 'svc.yaml'))
  expect(await refusal('--profile ci')).toContain('(project-file-missing; svc explain project-file-missing)\n')
  expect((await lint('apis')).guide).toBe('.spectral.yaml')
})
