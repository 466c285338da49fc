/** Waivers: which findings they accept, until when, what is reported about them, and which files are none. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acceptFindings } from '../../../cli/lint/accept.ts'
import { newFindings, readBaseline } from '../../../cli/lint/accepted.ts'
import { applyWaivers, readWaivers, type Waiver } from '../../../cli/lint/waivers.ts'
import type { Finding, Severity } from '../../../src/lint/finding.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-waivers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  return name
}
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
const finding = (fingerprint: string, more: Partial<Finding> = {}): Finding =>
  ({
    code: 'r',
    source: 'a.yaml',
    path: ['info'],
    pointer: '/info',
    severity: 'error',
    range,
    fingerprint,
    ...more,
  }) as Finding
const prints = (findings: readonly Finding[]): string[] => findings.map((it) => it.fingerprint)
const told = (findings: readonly Finding[]): string[] =>
  findings.map((it) => `${it.severity} ${it.code} ${it.source}${it.pointer}: ${it.message}`)

interface Written {
  rule?: string
  file?: string
  pointer?: string
  owner?: string
  reason?: string
  expires?: string
}
const plain = { rule: 'r', owner: 'ann', reason: 'legacy', expires: '2026-05-05' }
const waiver = ({ file, pointer, ...more }: Written = {}): Waiver => ({
  kind: 'waiver',
  ...plain,
  ...more,
  scope: { source: null, files: file ?? null, pointer: pointer ?? '', line: null },
  source: 'w.json',
  path: [0],
  range,
})
const waived = (
  more: Written,
  one: Partial<Finding> = {},
  today = '2026-05-05',
  unused: Severity | 'off' = 'warning',
) => applyWaivers([finding('a', one)], [waiver(more)], today, unused)

test('a waiver covers its rule, its files, and all below its pointer', () => {
  const covers = (more: Written, one: Partial<Finding> = {}) => waived(more, one).waived.length === 1
  expect(covers({})).toBe(true)
  expect(covers({ rule: 'other' })).toBe(false)
  expect(covers({ file: 'a.yaml' })).toBe(true)
  expect(covers({ file: '*.yaml' })).toBe(true)
  expect(covers({ file: 'b.yaml' })).toBe(false)
  expect(covers({ pointer: '/info' })).toBe(true)
  expect(covers({ pointer: '/info' }, { pointer: '/info/title' })).toBe(true)
  expect(covers({ pointer: '/info' }, { pointer: '/information' })).toBe(false)
  expect(covers({ pointer: '/info/title' })).toBe(false)
  expect(covers({ rule: 'other', file: 'a.yaml', pointer: '/info' })).toBe(false)
  expect(covers({ file: 'b.yaml', pointer: '/info' })).toBe(false)
})

test('a waiver is valid until the end of its last day; expired and unused ones are findings', () => {
  expect(waived({})).toEqual({ findings: [], waived: [{ finding: finding('a'), by: waiver() }] })
  const late = waived({}, {}, '2026-05-06')
  expect(late.waived).toEqual([])
  expect(told(late.findings.slice(1))).toEqual([
    'warning expired-waiver w.json/0: The waiver of r by ann expired on 2026-05-05: legacy',
  ])
  expect(late.findings[0]).toEqual(finding('a'))
  const said = 'unused-suppression w.json/0: The waiver of other by ann matches no finding; remove it.'
  expect(told(waived({ rule: 'other' }).findings.slice(1))).toEqual([`warning ${said}`])
  expect(told(waived({ rule: 'other' }, {}, '2026-05-05', 'error').findings.slice(1))).toEqual([`error ${said}`])
  expect(waived({ rule: 'other' }, {}, '2026-05-05', 'off')).toEqual({ findings: [finding('a')], waived: [] })
})

const reason = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: { detail: { reason: string } }) => error.detail.reason,
  )

test('a list of waivers, by itself or under "waivers"; what is wrong is said with its place', async () => {
  const read = async (value: unknown) =>
    (await readWaivers(write('w.json', value), folder)).map((it) => ({ ...it, range }))
  const first = waiver()
  expect(await read([plain])).toEqual([first])
  const whole = waiver({ file: '*.yaml', pointer: '/info' })
  expect(await read({ waivers: [{ ...plain, file: '*.yaml', pointer: '/info' }] })).toEqual([
    { ...whole, path: ['waivers', 0] },
  ])
  expect(await read([{ ...plain, file: 7, pointer: 7 }])).toEqual([first])
  const refused = (value: unknown) => reason(readWaivers(write('w.json', value), folder))
  expect(await refused({ waivers: {} })).toEndWith(': waivers are a list')
  expect(await refused('"text"')).toEndWith(': waivers are a list')
  expect(await refused([plain, 7])).toBe(
    `w.json:1:${JSON.stringify([plain]).length + 1}: a waiver has rule, owner, reason and expires`,
  )
  for (const field of ['rule', 'owner', 'reason', 'expires'])
    for (const value of [undefined, '', ' ', 7])
      expect(await refused([{ ...plain, [field]: value }])).toBe(`w.json:1:2: the waiver has no "${field}"`)
  for (const expires of ['2026-02-30', '2026-5-5', 'soon', '2026-05-05T00:00:00Z'])
    expect(await refused([{ ...plain, expires }])).toEndWith(`"${expires}" must be a date such as 2027-01-31`)
})

test('suppressions and waivers apply before the baseline, a new baseline accepts what they leave, and nothing is reported twice', async () => {
  const scope = { source: 'a.yaml', files: null, pointer: '', line: null }
  const extension = { kind: 'extension', rule: 's', reason: null, source: 'a.yaml', path: [], range, scope }
  const suppressions = new Map([['a.yaml', { valid: [extension], invalid: [] }]])
  const [a, b, c, d] = [
    finding('12345678a'),
    finding('12345678b', { code: 'q' }),
    finding('12345678c', { code: 'q' }),
    finding('12345678d', { code: 's' }),
  ]
  const document = { source: 'a.yaml' }
  const all = [
    { findings: [a, b, c, d], document, suppressions },
    { findings: [c], document, suppressions },
  ] as never
  const known = {
    baseline: { has: ({ fingerprint }: { fingerprint: string }) => fingerprint.endsWith('b') },
    waivers: [waiver({ expires: '9999-12-31' })],
  }
  const guide = { rulesFor: () => ({}) }
  const options = { 'write-baseline': 'new.json', 'unused-suppressions': 'warning' } as never
  const accepted = await acceptFindings(all, known, guide, { options, cwd: folder })
  expect(prints(accepted.left)).toEqual(['12345678c'])
  expect(accepted.byBaseline).toBe(1)
  expect(prints(accepted.suppressed.map((it) => it.finding))).toEqual(['12345678d'])
  expect(prints(accepted.waived.map((it) => it.finding))).toEqual(['12345678a'])
  expect(prints(newFindings([a, b, c, d], await readBaseline('new.json', folder)))).toEqual(['12345678a', '12345678d'])
  // What is suppressed for a file that other documents use may match in those: nothing is said where they were not linted.
  const shared = { ...extension, source: 'shared.yaml', rule: 'q' }
  const using = [
    { findings: [a], document, suppressions: new Map([['shared.yaml', { valid: [shared], invalid: [] }]]) },
  ]
  const nothing = { baseline: null, waivers: [] }
  const having = { rulesFor: () => ({ q: {} }) as never }
  const unsure = await acceptFindings(using as never, nothing, having, { options, cwd: folder })
  expect(prints(unsure.left)).toEqual(['12345678a'])
  const ignoring = { 'ignore-suppressions': true, 'unused-suppressions': 'warning' } as never
  const none = await acceptFindings(all, { baseline: null, waivers: [] }, guide, { options: ignoring, cwd: folder })
  expect([none.left.length, none.byBaseline, none.suppressed.length]).toEqual([4, 0, 0])
})
