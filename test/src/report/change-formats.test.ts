/** Every format of a comparison, with everything that documents and people can put into it. */
import { describe, expect, test } from 'bun:test'
import type { Change, ChangeSeverity } from '../../../src/diff/change.ts'
import { tallyOf } from '../../../src/diff/tally.ts'
import { reportFormats } from '../../../src/report/formats.gen.ts'
import type { ChangeReport, ReportFormat } from '../../../src/report/report.ts'
import { junitProblems, sarifProblems } from '../../schemas/judges.ts'

const formats: Readonly<Record<string, ReportFormat>> = reportFormats
const ids = Object.keys(formats).filter((id) => formats[id]!.changes)
const hostile =
  '<script>alert(1)</script> & "q" \'s\' ]]> `x` ``y`` | @team ![i](http://e.example/i.png) ::error::x\r\n::set-output %0A\u001b[31m\u0007\u009b31m\u202e\u2066\u200f\u061c\u007f \ud800 日本 🛑'

const range = { start: { line: 4, character: 2 }, end: { line: 4, character: 9 } }
const changeOf = (number: number, severity: ChangeSeverity, more: Partial<Change> = {}): Change => ({
  id: 'operation-removed',
  severity,
  classification: severity === 'breaking' ? 'breaking' : 'safe',
  method: 'GET',
  path: `/things/${number}`,
  direction: 'response',
  base: { pointer: `/paths/~1things~1${number}`, range },
  head: { pointer: `/paths/~1things~1${number}`, range },
  before: null,
  after: null,
  message: `Thing ${number} went`,
  witness: null,
  operations: [`GET /things/${number}`],
  consumers: [],
  fingerprint: `print-${number}`,
  ...more,
})
const reportOf = (changes: readonly Change[], more: Partial<ChangeReport> = {}): ChangeReport => ({
  changes,
  ...tallyOf(changes),
  base: 'main:openapi.yaml',
  head: 'openapi.yaml',
  toolVersion: '1.2.3',
  ...more,
  verdict: more.verdict ?? 'It is said.',
})
const write = (id: string, report: ChangeReport): string => formats[id]!.changes!(report, { colour: false })

const nasty = reportOf(
  [
    changeOf(1, 'breaking', {
      message: hostile,
      operations: [`GET /${hostile}`],
      witness: { value: hostile, at: '', acceptedBy: 'base', reason: hostile },
      consumers: ['shop'],
    }),
    changeOf(2, 'breaking', { classification: 'unknown', base: null, operations: [] }),
    changeOf(3, 'non-breaking', { head: null, direction: null }),
    changeOf(4, 'docs-only', { base: { pointer: '/x', range: null }, head: null }),
    changeOf(5, 'non-breaking', { base: null, head: null }),
  ],
  {
    base: `${hostile}.yaml`,
    head: 'https://api.example/my%20api.json?x=1#y',
    consumers: [{ handle: 'shop', name: hostile, impact: null }],
  },
)
const empty = reportOf([])

test.each(ids)('%s ends in a line, whatever it is given', (id) => {
  for (const report of [nasty, empty]) {
    const text = write(id, report)
    expect(text === '' ? id : text.at(-1)!).toBe(text === '' ? 'ndjson' : '\n')
    if (['text', 'markdown', 'github-actions', 'html', 'junit'].includes(id)) {
      expect(text).not.toContain('\u001b')
      expect(text).not.toContain('\u0007')
    }
  }
})

const steering = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/
test.each(ids)('%s has no character that steers a terminal or turns text around', (id) => {
  expect(steering.test(hostile)).toBe(true)
  expect(steering.exec(write(id, nasty))).toBeNull()
})

test('formats for programs keep every character of a value', () => {
  const { changes } = JSON.parse(write('json', nasty)) as { changes: Change[] }
  expect([changes[0]?.message, changes[0]?.witness?.value]).toEqual([hostile, hostile])
  expect((JSON.parse(write('ndjson', nasty).split('\n')[0] ?? '') as Change).message).toBe(hostile)
})

test('SARIF and JUnit fit their schemas, whatever they are given', () => {
  for (const report of [nasty, empty]) {
    expect(sarifProblems(write('sarif', report))).toEqual([])
    expect(junitProblems(write('junit', report))).toBe('')
  }
  expect(write('junit', empty)).toContain('tests="1" failures="0"')
})

test('annotations stay lines of their own, and say what they are about', () => {
  const lines = write('github-actions', nasty).trimEnd().split('\n')
  expect(lines.map((line) => /^::(error|notice) /.exec(line)?.[1] ?? null)).toEqual([
    'error',
    'error',
    'notice',
    'notice',
    null,
  ])
})

test('the page holds no markup of others', () => {
  const page = write('html', nasty)
  expect(page).not.toContain('<script')
  expect(page.match(/<(img|a|iframe|link)\b/)).toBeNull()
})

test('Code Quality has a fingerprint for each, once', () => {
  const twice = reportOf([changeOf(1, 'breaking'), changeOf(1, 'breaking', { direction: 'request' })])
  const issues = JSON.parse(write('gitlab', twice)) as { fingerprint: string }[]
  expect(issues.map((it) => it.fingerprint)).toEqual(['print-1', 'print-1-1'])
  expect(JSON.parse(write('gitlab', empty))).toEqual([])
})

test('every format names the file of a change and who is hit', () => {
  const source = 'schemas/pet.yaml'
  const change = changeOf(1, 'breaking', {
    head: { pointer: '/x', range, source },
    base: { pointer: '/x', range, source: `main:${source}` },
    consumers: ['shop'],
  })
  const report = reportOf([change], { consumers: [{ handle: 'shop', name: 'Shop front', impact: null }] })
  for (const id of ids) {
    const text = write(id, report)
    expect(`${id}: ${text}`).toContain(source)
    expect(`${id}: ${text}`).toContain('shop')
    if (id !== 'ndjson') expect(`${id}: ${text}`).toContain('Shop front')
  }
})

test('what is gone is marked where it would have stood in the head', () => {
  const gone = changeOf(1, 'breaking', { head: null })
  const place = { source: 'openapi.yaml', pointer: '/paths', range: { ...range, end: range.start } }
  const report = reportOf([gone], { anchors: new Map([[gone.fingerprint, place]]) })
  expect(write('github-actions', report)).toStartWith('::error file=openapi.yaml,line=5,')
  expect(JSON.parse(write('gitlab', report))).toMatchObject([
    { location: { path: 'openapi.yaml', lines: { begin: 5 } } },
  ])
  const [result] = (JSON.parse(write('sarif', report)) as { runs: { results: unknown[] }[] }).runs[0]!.results
  expect(result).toMatchObject({
    locations: [{ physicalLocation: { artifactLocation: { uri: 'openapi.yaml' } } }],
    relatedLocations: [{ physicalLocation: { artifactLocation: { uri: 'main%3Aopenapi.yaml' } } }],
  })
})

test('people read once what many operations share; programs get each', () => {
  const shared = { head: { pointer: '/security', range }, message: 'Credentials are now needed' }
  const report = reportOf([1, 2, 3].map((at) => changeOf(at, 'breaking', { ...shared, consumers: [`app-${at}`] })))
  for (const id of ['text', 'markdown', 'html']) {
    const text = write(id, report)
    expect(text.match(/Credentials are now needed/g)?.length).toBe(1)
    expect(text).toContain('3 changes')
    expect(text).toContain('/things/2')
    expect(text).toContain('app-3')
  }
  expect(write('junit', report)).toContain('tests="1" failures="1"')
  expect((JSON.parse(write('gitlab', report)) as unknown[]).length).toBe(3)
})

describe('Markdown', () => {
  test('holds no markup, image or call of others', () => {
    const text = write('markdown', nasty)
    const said = text.split('\n').find((line) => line.startsWith('- '))!
    expect(said).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(said).toContain('@\u200Bteam !\\[i](')
    expect(
      text.split('\n').filter((line) => /^(?:#|<)/.test(line) && /script|::/.test(line) && !line.includes('`')),
    ).toEqual([])
  })

  const details = (text: string): number[] => [/<details>/g, /<\/details>/g].map((it) => text.match(it)?.length ?? 0)

  test('is cut where GitHub would refuse it, says so, and stays well-formed', () => {
    for (const [breaking, safe] of [
      [3000, 0],
      [1, 3000],
      [300, 3000],
    ] as const) {
      const changes = [
        ...Array.from({ length: breaking }, (_, at) => changeOf(at, 'breaking', { message: `${hostile} ${at}` })),
        ...Array.from({ length: safe }, (_, at) => changeOf(at, 'non-breaking', { message: `日本語 ${at}`.repeat(5) })),
      ]
      const text = write('markdown', reportOf(changes))
      expect(new TextEncoder().encode(text).byteLength).toBeLessThan(65_536)
      expect(text.length).toBeGreaterThan(50_000)
      expect(new Set(details(text)).size).toBe(1)
      const shown = text.match(/^- .*operation-removed/gm)?.length ?? 0
      expect(text).toContain(`${changes.length - shown} of ${changes.length} changes are not shown`)
    }
  })

  test('leaves nothing out where there is room', () => {
    const text = write('markdown', reportOf(Array.from({ length: 300 }, (_, at) => changeOf(at, 'breaking'))))
    expect(text.match(/^- /gm)?.length).toBe(300)
    expect(text).not.toContain('not shown')
  })

  test('lists what is new once', () => {
    const changes = [1, 2].map((at) =>
      changeOf(at, 'non-breaking', { id: 'operation-added', message: `GET /things/${at} was added`, direction: null }),
    )
    expect(write('markdown', reportOf(changes)).split('\n').slice(5, 12)).toEqual([
      '<details><summary>2 non-breaking changes</summary>',
      '',
      '#### New',
      '',
      '- GET /things/1 was added — `operation-added` `openapi.yaml:5`',
      '- GET /things/2 was added — `operation-added` `openapi.yaml:5`',
      '',
    ])
  })

  test('has a marker of the project, whatever the revision', () => {
    const marker = (base: string, head: string): string => write('markdown', { ...empty, base, head }).split('\n')[0]!
    expect(marker('shop@1.0.0', 'openapi.yaml')).toBe('<!-- svc-diff: shop -->')
    expect(marker('shop@latest', 'shop@2.0.0')).toBe('<!-- svc-diff: shop -->')
    expect(marker('main:api/shop.yaml', 'api/shop.yaml')).toBe('<!-- svc-diff: api/shop.yaml -->')
    expect(marker('a', 'x --> <b>--!>')).toBe('<!-- svc-diff: x-b- -->')
  })
})
