/** `--guide` and the ruleset of a repository in `svc import` and `svc import preflight`: the grade of `svc lint`. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-import-guide-'))
const api = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
`
const strict = `extends: [[spectral:oas, off]]
rules:
  info-contact: error
  short: { severity: warn, given: $.info.title, then: { function: length, functionOptions: { max: 2 } } }
`
const scripted = `functions: [nothing]
rules: { own: { given: $, then: { function: nothing } }, info-contact: { given: $.info, then: { field: contact, function: truthy } } }
`
beforeAll(() => {
  for (const name of ['repo', 'repo/apis', 'plain']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'repo', '.spectral.yaml'), strict)
  writeFileSync(join(folder, 'repo', 'lenient.yaml'), 'extends: [[spectral:oas, off]]\nrules: { info-contact: hint }\n')
  writeFileSync(join(folder, 'repo', 'scripted.yaml'), scripted)
  for (const place of ['repo/api.yaml', 'repo/apis/a.yaml', 'plain/api.yaml']) writeFileSync(join(folder, place), api)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const svc = (line: string, cwd = 'repo', stdin?: string) =>
  runCommand(line.split(' '), registry, {
    cwd: join(folder, cwd),
    env: { SVC_WORKSPACE: join(folder, '.svc') },
    ...(stdin === undefined ? {} : { stdin }),
  })

interface Envelope {
  readonly summary: { guide?: string; grade?: { letter?: string; grade?: string } } | null
  readonly data: { grade?: { grade: string }; findings?: { code: string }[]; status?: string; policy?: object } | null
  readonly error: { code: string } | null
}
const json = async (line: string, cwd?: string, stdin?: string): Promise<[number, Envelope]> => {
  const { exit, stdout } = await svc(`${line} --json`, cwd, stdin)
  return [exit, JSON.parse(stdout) as Envelope]
}
const projects = async (): Promise<number> => {
  const [, { data }] = await json('project list')
  return (data as unknown as unknown[]).length
}

test('a preflight grades by the ruleset of the repository, as svc lint does', async () => {
  const [, linted] = await json('lint api.yaml')
  const [exit, { summary, data }] = await json('import preflight api.yaml')
  expect([exit, linted.summary?.grade?.letter, data?.grade?.grade, summary?.guide]).toEqual([
    0,
    'B',
    'B',
    '.spectral.yaml',
  ])
  expect(data?.findings?.map((it) => it.code)).toEqual(['info-contact', 'short'])
  expect((await json('import preflight api.yaml --min-grade A'))[0]).toBe(4)
  expect((await json('import preflight - --min-grade A', 'repo', api))[0]).toBe(4)
  expect((await json('import preflight --file api.yaml --min-grade B'))[0]).toBe(0)
  const { stdout } = await svc('import preflight api.yaml --min-grade A')
  const facts = stdout.split('\n').filter((it) => /^(Grade|Guide|Policy):|^  The grade/.test(it))
  expect(facts).toEqual([
    'Grade:    B (82 of 100): 1 error, 1 warning',
    'Guide:    .spectral.yaml',
    'Policy:   passes (by the guide svc:recommended)',
    '  The grade is B, worse than A.',
  ])
})

test('a preflight takes the guide of --guide, and without any that of the organization', async () => {
  const [, given] = await json('import preflight api.yaml --guide lenient.yaml')
  expect([given.summary?.guide, given.data?.grade?.grade]).toEqual(['lenient.yaml', 'A'])
  const [, none] = await json('import preflight api.yaml', 'plain')
  expect([none.summary, none.data?.policy]).toMatchObject([null, { guide: 'svc:recommended' }])
})

test('an import that the guide refuses sends nothing', async () => {
  const before = await projects()
  const [exit, { summary, data, error }] = await json('import openapi api.yaml --min-grade A')
  expect([exit, summary?.guide, summary?.grade?.grade, data, error]).toEqual([4, '.spectral.yaml', 'B', null, null])
  expect((await json('import openapi api.yaml --fail-on error'))[0]).toBe(4)
  expect((await json('import auto apis --fail-on warn'))[0]).toBe(4)
  expect(await projects()).toBe(before)
  const { stdout } = await svc('import openapi api.yaml --min-grade A --report markdown=said.md')
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'Import: refused: nothing was sent',
    'Grade:  B (82 of 100): 1 error, 1 warning',
    'Guide:  .spectral.yaml',
    '  The grade is B, worse than A.',
  ])
  expect(readFileSync(join(folder, 'repo', 'said.md'), 'utf8')).toContain('| `api.yaml:2:6` | error | [`info-contact`]')
})

test('an import that the guide accepts is judged by no other one, and says which it was', async () => {
  const [exit, { summary, data }] = await json('import openapi api.yaml --min-grade A --guide lenient.yaml')
  expect([exit, data?.status, summary?.guide, summary?.grade?.grade]).toEqual([0, 'completed', 'lenient.yaml', 'A'])
  const { exit: code, stderr } = await svc('import openapi api.yaml --guide lenient.yaml')
  expect([code, stderr.split('\n')[0]]).toEqual([
    0,
    'Grade by lenient.yaml: A (100 of 100): 1 hint. What is stored is graded by the guide of the organization.',
  ])
})

test('a guide that cannot be applied as a whole refuses, unless that is accepted', async () => {
  const skipped = await json('import openapi api.yaml --guide scripted.yaml --min-grade F')
  expect([skipped[0], skipped[1].error?.code]).toEqual([2, 'rules-skipped'])
  expect((await json('import openapi api.yaml --guide scripted.yaml --min-grade F --allow-skipped'))[0]).toBe(0)
  expect((await json('import preflight api.yaml --guide scripted.yaml'))[0]).toBe(2)
  expect((await svc('import preflight api.yaml --guide nowhere.yaml')).exit).toBe(2)
})

test('an archive is judged by the guide of the organization, and a guide for it is refused', async () => {
  const files = { 'api.yaml': api }
  writeFileSync(join(folder, 'repo', 'specs.tar'), await new Bun.Archive(files).bytes())
  const [, { summary }] = await json('import preflight specs.tar')
  expect(summary).toBeNull()
  const { exit, stderr } = await svc('import preflight specs.tar --guide lenient.yaml')
  expect([exit, stderr.split('\n')[0]]).toEqual([
    2,
    'error: --guide reads files, folders and URLs; unpack specs.tar for it',
  ])
})
