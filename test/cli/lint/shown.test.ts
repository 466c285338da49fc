/** Which findings `svc lint` shows, by its own options and by those of Spectral; everything counts in exit code and grade. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selectShown } from '../../../cli/lint/result.ts'
import lint from '../../../commands/lint.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const registry = registryOf({ lint })
// 3 warnings (contact, description, servers), then 1 error.
const api = `openapi: 3.1.0
info: { title: t, version: 1.0.0 }
paths: {}
components: { schemas: { A: { type: array } } }
`
const rules = `extends: [[svc:recommended, off]]
rules: { info-contact: warn, info-description: info, oas3-api-servers: hint, array-items: error }
`
let cwd = ''
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-shown-'))
  await Bun.write(join(cwd, 'api.yaml'), api)
  await Bun.write(join(cwd, 'rules.yaml'), rules)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const run = (line: string) => runCommand(`lint api.yaml -r rules.yaml ${line}`.trim().split(/ +/), registry, { cwd })
const shown = async (line: string) => {
  const { exit, stdout } = await run(`${line} --json`)
  const { findings, summary } = JSON.parse(stdout) as {
    findings: { code: string }[]
    summary: { counts: Record<string, number>; omitted?: number; grade: { letter: string } }
  }
  return [
    exit,
    findings.map((it) => it.code),
    summary.omitted ?? 0,
    Object.values(summary.counts),
    summary.grade.letter,
  ]
}
const counts = [1, 1, 1, 1]

test('what is left out counts in exit code, counts and grade', async () => {
  const all = ['oas3-api-servers', 'info-contact', 'info-description', 'array-items']
  expect(await shown('')).toEqual([4, all, 0, counts, 'B'])
  expect(await shown('-D')).toEqual([4, ['array-items'], 3, counts, 'B'])
  expect(await shown('-D -F warn')).toEqual([4, ['info-contact', 'array-items'], 2, counts, 'B'])
  expect(await shown('--display-only-failures --fail-severity hint')).toEqual([4, all, 0, counts, 'B'])
  expect(await shown('-D --fail-on none')).toEqual([0, [], 4, counts, 'B'])
  expect(await shown('--max-problems 2')).toEqual([4, ['info-contact', 'array-items'], 2, counts, 'B'])
  expect(await shown('--max-problems 0')).toEqual([4, [], 4, counts, 'B'])
  expect(await shown('--max-problems 4')).toEqual([4, all, 0, counts, 'B'])
  expect(await shown('--max-problems 1 -D -F warn')).toEqual([4, ['array-items'], 3, counts, 'B'])
})

test('of one severity the first are shown, in their order', () => {
  const finding = (severity: Finding['severity'], code: string) => ({ severity, code }) as Finding
  const all = [finding('hint', 'a'), finding('error', 'b'), finding('warning', 'c'), finding('error', 'd')]
  const codes = (most: number | undefined, onlyFailures = false) => {
    const { has } = selectShown(all, { most, onlyFailures, fails: (it) => it.severity === 'error' })
    return all.filter(has).map((it) => it.code)
  }
  expect([codes(undefined), codes(1), codes(3), codes(undefined, true), codes(1, true)]).toEqual([
    ['a', 'b', 'c', 'd'],
    ['b'],
    ['b', 'c', 'd'],
    ['b', 'd'],
    ['b'],
  ])
})

test('formats for people say how much is left out, and standard error says it for the others', async () => {
  for (const format of ['text', 'stylish', 'codeframe', 'markdown', 'html']) {
    const { stdout, stderr } = await run(`-f ${format} --max-problems 1`)
    expect([format, stdout.match(/\d findings? (?:is|are) not shown\./g), stderr]).toEqual([
      format,
      ['3 findings are not shown.'],
      '',
    ])
  }
  expect((await run('-f md --max-problems 1')).stdout).toBe((await run('-f markdown --max-problems 1')).stdout)
  for (const format of ['junit', 'gitlab', 'ndjson', 'sarif'])
    expect((await run(`-f ${format} --max-problems 3`)).stderr).toBe('warning: 1 finding not shown.\n')
})

test('--quiet prints a line for each finding, without counts, grade and advice', async () => {
  const { exit, stdout } = await run('-q --max-problems 1')
  expect([exit, stdout]).toEqual([
    4,
    'api.yaml:4:28  error  array-items  Schemas with "type: array", require a sibling "items" field\n\n',
  ])
})

test('-o writes the report of -f to a file and nothing to standard output', async () => {
  const { exit, stdout } = await run('-f json -o out/lint.json -D')
  expect([exit, stdout]).toEqual([4, ''])
  const { findings, summary } = JSON.parse(readFileSync(join(cwd, 'out', 'lint.json'), 'utf8')) as {
    findings: { code: string }[]
    summary: { omitted: number }
  }
  expect([findings.map((it) => it.code), summary.omitted]).toEqual([['array-items'], 3])
})
