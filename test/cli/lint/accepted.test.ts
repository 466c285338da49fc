/** Baselines and waivers: which findings they accept, until when, and which files are none. */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  applyWaivers,
  newFindings,
  readBaseline,
  readWaivers,
  type Waiver,
  waiverNotes,
  writeBaseline,
} from '../../../cli/lint/accepted.ts'
import { acceptFindings } from '../../../cli/lint/accept.ts'
import type { Finding } from '../../../src/lint/finding.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-accepted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  return name
}
const reason = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: { detail: { reason: string } }) => error.detail.reason,
  )

const finding = (fingerprint: string, more: Partial<Finding> = {}): Finding =>
  ({
    code: 'r',
    source: 'a.yaml',
    pointer: '/info',
    severity: 'error',
    message: fingerprint,
    fingerprint,
    ...more,
  }) as Finding
const prints = (findings: readonly Finding[]): string[] => findings.map((it) => it.fingerprint)

test('a baseline accepts its findings of its files, and nothing else of it is read', async () => {
  const all = [finding('source--1a'), finding('source--1b'), finding('source--1a', { source: 'b.yaml' })]
  const accepts = async (findings: unknown[]) =>
    newFindings(all, await readBaseline(write('base.json', { svcBaseline: 2, findings }), folder)).map(
      (it) => `${it.source} ${it.fingerprint}`,
    )
  expect(await accepts([])).toEqual(['a.yaml source--1a', 'a.yaml source--1b', 'b.yaml source--1a'])
  expect(await accepts([{ source: 'a.yaml', fingerprint: '1a' }])).toEqual(['a.yaml source--1b', 'b.yaml source--1a'])
  expect(await accepts([{ fingerprint: '1a' }, { source: 7, fingerprint: '1b' }, '1b', null])).toHaveLength(3)
})

test('what is written is read back, sorted, from every folder and for every way to name the files', async () => {
  mkdirSync(join(folder, 'sub'), { recursive: true })
  const all = [
    finding('12345678c', { source: 'b.yaml' }),
    finding('12345678b', { pointer: '/paths' }),
    finding('12345678a'),
    finding('12345678d', { code: 'q', source: './sub/../a.yaml' }),
    finding('12345678e', { source: 'https://api.example.com/a.yaml' }),
    finding('12345678f', { source: 'shop@1.0.0' }),
  ]
  const text = writeBaseline(all, 'sub/own.json', folder)
  const row = (source: string, fingerprint: string, code = 'r', pointer = '/info') => ({
    source,
    pointer,
    code,
    fingerprint,
  })
  expect(JSON.parse(text)).toEqual({
    svcBaseline: 2,
    findings: [
      row('../a.yaml', 'd', 'q'),
      row('../a.yaml', 'a'),
      row('../a.yaml', 'b', 'r', '/paths'),
      row('../b.yaml', 'c'),
      row('https://api.example.com/a.yaml', 'e'),
      row('shop@1.0.0', 'f'),
    ],
  })
  write('sub/own.json', text)
  const renamed = all.map((it) => ({
    ...it,
    source: it.source.endsWith('b.yaml') ? join(folder, 'b.yaml') : it.source,
  }))
  expect(newFindings(renamed, await readBaseline('sub/own.json', folder))).toEqual([])
  const below = all.map((it) => ({ ...it, source: it.source.endsWith('b.yaml') ? '../b.yaml' : it.source }))
  const inSub = newFindings(below, await readBaseline('own.json', join(folder, 'sub')))
  // From another folder "a.yaml" is another file.
  expect(inSub.map((it) => it.source)).toEqual(['a.yaml', 'a.yaml', './sub/../a.yaml'])
})

test('files that are no baseline, and baselines of another format', async () => {
  const refused = (value: unknown) => reason(readBaseline(write('odd.json', value), folder))
  const none = '"odd.json" is not a baseline; create one with --write-baseline'
  for (const value of [
    [],
    {},
    { findings: [] },
    { svcBaseline: 2 },
    { svcBaseline: 2, findings: {} },
    { svcBaseline: 'x', findings: [] },
  ])
    expect([value, await refused(value)]).toEqual([value, none])
  expect(await refused({ svcBaseline: 1, findings: [] })).toStartWith('"odd.json" is a baseline of format 1')
})

const waiver: Waiver = {
  rule: 'r',
  file: null,
  pointer: '',
  owner: 'ann',
  reason: 'legacy',
  expires: '2026-05-05',
}
const waived = (more: Partial<Waiver>, one: Partial<Finding> = {}, today = '2026-05-05') =>
  applyWaivers([finding('a', one)], [{ ...waiver, ...more }], today)

test('a waiver covers its rule, its files, and all below its pointer', () => {
  const covers = (more: Partial<Waiver>, one: Partial<Finding> = {}) => waived(more, one).waived === 1
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

test('a waiver is valid until the end of its last day; an unused one is reported', () => {
  expect(waived({})).toMatchObject({ findings: [], waived: 1, expired: [], unused: [] })
  const late = waived({}, {}, '2026-05-06')
  expect(late).toMatchObject({ waived: 0, expired: [waiver], unused: [] })
  expect(prints(late.findings)).toEqual(['a'])
  expect(waiverNotes(late)).toEqual(['The waiver of r by ann expired on 2026-05-05: legacy'])
  const unused = waived({ rule: 'other' })
  expect(unused).toMatchObject({ waived: 0, expired: [], unused: [{ rule: 'other' }] })
  expect(waiverNotes(unused)).toEqual(['The waiver of other by ann matches no finding; remove it.'])
})

test('a list of waivers, by itself or under "waivers"; what is wrong is said with its place', async () => {
  const { file: _, pointer: __, ...plain } = waiver
  expect(await readWaivers(write('w.json', [plain]), folder)).toEqual([waiver])
  const whole = { ...waiver, file: '*.yaml', pointer: '/info' }
  expect(await readWaivers(write('w.json', { waivers: [whole] }), folder)).toEqual([whole])
  expect(await readWaivers(write('w.json', [{ ...plain, file: 7, pointer: 7 }]), folder)).toEqual([waiver])
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

test('waivers apply before the baseline, a new baseline accepts what they leave, and nothing is told twice', async () => {
  const [a, b, c] = [finding('12345678a'), finding('12345678b', { code: 'q' }), finding('12345678c', { code: 'q' })]
  const all = [{ findings: [a, b, c] }, { findings: [c] }] as never
  const known = {
    baseline: { has: ({ fingerprint }: { fingerprint: string }) => fingerprint.endsWith('b') },
    waivers: [{ ...waiver, expires: '9999-12-31' }],
  }
  const options = { 'write-baseline': 'new.json' } as never
  const accepted = await acceptFindings(all, known, { options, cwd: folder })
  expect({ ...accepted, left: prints(accepted.left) }).toEqual({
    left: ['12345678c'],
    byBaseline: 1,
    byWaivers: 1,
    notes: [],
  })
  expect(prints(newFindings([a, b, c], await readBaseline('new.json', folder)))).toEqual(['12345678a'])
  const none = await acceptFindings(all, { baseline: null, waivers: [] }, { options: {} as never, cwd: folder })
  expect([none.left.length, none.byBaseline]).toEqual([3, 0])
})
