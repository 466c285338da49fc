/** Baselines: which findings they accept, and which files are none. */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newFindings, readBaseline, writeBaseline } from '../../../cli/lint/accepted.ts'
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
