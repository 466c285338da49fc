/** The lint report of a version: what is counted, grouped and shown of it, and one way through it on the real service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { mostPointsPerFinding, outlookOf, type ReportRow, rowsOf } from '../../web/src/features/lint/report.ts'
import { comparePreviews } from '../../web/src/features/style-guides/preview-change.ts'
import { frameLines } from '../../web/src/parts/source-frame.tsx'
import { TextLines } from '../../web/src/parts/text-lines.ts'
import { someFindings as some } from '../fixtures/findings.ts'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'
import type { Finding } from '../../web/src/features/lint/queries.ts'

setDefaultTimeout(60_000)

test('rows: each group before its findings unless it is closed, and without groups all findings', () => {
  const group = (name: string, count: number) => ({ name, count, severity: 'error' as const, documentation_url: null })
  const groups = [group('a', 2), group('b', 1), group('c', 2)]
  expect(rowsOf({ groups, matching: 5 }, new Set(['b']))).toEqual([
    { group: groups[0] },
    { at: 0 },
    { at: 1 },
    { group: groups[1] },
    { group: groups[2] },
    { at: 3 },
    { at: 4 },
  ] as ReportRow[])
  expect(rowsOf({ groups: [], matching: 2 }, new Set())).toEqual([{ at: 0 }, { at: 1 }])
})

test('the quickest wins give the most points for each place, and the next grade is shown', () => {
  const deduction = (code: string, hits: number, points: number) => ({
    code,
    severity: 'warning' as const,
    hits,
    targets: 100,
    points,
  })
  const deductions = [
    deduction('many', 400, 3),
    deduction('one', 1, 2.5),
    deduction('none', 3, 0),
    deduction('two', 2, 3),
  ]
  expect(mostPointsPerFinding(deductions).map((it) => it.code)).toEqual(['one', 'two', 'many'])
  const counts = { error: 2, warning: 0, info: 0, hint: 0 }
  const at = (grade: 'A' | 'B' | 'F' | null, score: number | null) =>
    outlookOf({ grade, score, cap: null, counts, deductions })
  expect([at('A', 95), at('B', 93), at('B', 84.5), at('F', 12), at(null, null)]).toEqual([
    null,
    'Fix 2 errors to reach grade A.',
    '5.5 points to grade A.',
    '48.0 points to grade D.',
    null,
  ])
})

const range = (line: number, character: number, endLine: number, end: number): Finding['range'] => ({
  start: { line, character },
  end: { line: endLine, character: end },
})

const frame = (lines: readonly string[], at: Finding['range']) =>
  frameLines(new TextLines(lines.join('\n')).around(at), at)

test('a frame shows the lines around a node, without what they share before them', () => {
  const lines = ['a:', '  b:', '    c: 1', '    d: 2', '  e: 3']
  expect(frame(lines, range(2, 7, 2, 8))).toEqual([
    { number: 2, before: 'b:', marked: '', after: '' },
    { number: 3, before: '  c: ', marked: '1', after: '' },
    { number: 4, before: '  d: 2', marked: '', after: '' },
  ])
  expect(frame(lines, range(9, 0, 9, 1))).toEqual([])
  expect(frame(lines, range(1, 2, 4, 6)).map((it) => it.number)).toEqual([1, 2, 3, 4])
  const [minified] = frame([`{"x":"${'y'.repeat(5000)}","title":7}`], range(0, 5016, 0, 5017))
  expect(minified?.marked).toBe('7')
  expect(`${minified?.before}${minified?.marked}${minified?.after}`.length).toBeLessThan(200)
})

test('any place of any text has a frame that marks what is there', () => {
  const line = fc.string({ maxLength: 400 }).filter((it) => !/[\r\n]/.test(it))
  const text = fc.array(line, { minLength: 1, maxLength: 8 })
  const place = fc.tuple(fc.nat(9), fc.nat(400), fc.nat(9), fc.nat(400))
  fc.assert(
    fc.property(text, place, (lines, [line, character, more, end]) => {
      for (const it of frame(lines, range(line, character, line + more, end)))
        expect(lines[it.number - 1]).toContain(it.marked)
    }),
  )
})

test('a part of a long line is marked where the place is in it', () => {
  const at = range(0, 5016, 0, 5017)
  const excerpt = { first: 0, lines: [{ text: `${'y'.repeat(99)}{7}${'z'.repeat(298)}`, from: 4916, length: 9000 }] }
  const [line] = frameLines(excerpt, at)
  expect(line).toEqual({ number: 1, before: `…${'y'.repeat(39)}{`, marked: '7', after: `}${'z'.repeat(118)}…` })
})

test('a preview tells what is new and what is gone, as often as it is', () => {
  const preview = (findings: Finding[]) => ({ rules: [], grade: null, findings, unmatchedRules: [] })
  const [tags, more, slash] = some as [Finding, Finding, Finding]
  expect(comparePreviews(preview([tags, tags, slash]), preview([tags, more]))).toEqual({
    own: [],
    added: [more],
    gone: [tags, slash],
  })
})

let on: Real
const operations = 2000
beforeAll(async () => {
  on = await openReal()
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/things-${index}/{id}`,
      { get: { responses: { 200: { description: 'Found' } } } },
    ]),
  )
  const content = JSON.stringify({ openapi: '3.0.3', info: { title: 'Things', version: '1.0.0' }, paths }, null, 1)
  const base = '/v1/tenants/local/projects'
  await on.ask('POST', base, { name: 'Things', slug: 'things' })
  await on.ask('POST', `${base}/things/versions`, { label: '1.0.0', content })
}, 60_000)
afterAll(() => on.close())

test('ten thousand findings: grade, groups, frames and filters stay at hand', async () => {
  const asked: string[] = []
  const sizes: Promise<number>[] = []
  on.page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (!pathname.startsWith('/v1/')) return
    asked.push(pathname)
    const size = answer.body().then(({ length }) => length)
    // The browser may be closed before it has all of the last answers.
    size.catch(() => {})
    sizes.push(size)
  })
  await on.go('/t/local/things/1.0.0/findings')
  await on.heading('Quick wins')
  await on.page.getByText(/^Points by rule/).click()
  await on.page.getByRole('rowheader', { name: /^path-params/ }).waitFor()
  const list = on.page.getByRole('region', { name: 'Findings' })
  await list.locator('mark').first().waitFor()
  expect(await list.locator('li').count()).toBeLessThan(60)
  expect(Number(await list.locator('li').first().getAttribute('aria-setsize'))).toBeGreaterThan(10_000)
  expect(await accessibilityFailures(on.page)).toEqual([])

  expect(asked.filter((path) => /\/lint\/|\/document$/.test(path)).toSorted()).toEqual([
    '/v1/lint/local/catalog/things/1.0.0/findings',
    '/v1/lint/local/catalog/things/1.0.0/summary',
  ])
  // From the end as from the start: what is on the screen is read, and nothing else of the megabytes.
  await list.press('End')
  await list.locator('li').last().locator('mark').first().waitFor()
  expect(Math.max(...(await Promise.all(sizes)))).toBeLessThan(300_000)

  await on.page.getByLabel('Search findings').fill('things-1234/')
  await on.page.getByText(/^\d+ of [\d,]+ findings in/).waitFor()
  await on.page
    .getByRole('group', { name: 'Severity' })
    .getByRole('button', { name: /^error/ })
    .click()
  await on.page.getByLabel('Group by').selectOption('by place')
  await on.heading('GET /things-1234/{id}')
  const address = new URL(on.page.url())
  expect(Object.fromEntries(address.searchParams)).toEqual({ q: 'things-1234/', severity: 'error', by: 'place' })

  await on.page.reload()
  await on.heading('GET /things-1234/{id}')
  const line = list.getByRole('link', { name: /^line / }).first()
  const number = /line ([\d,]+)/.exec(await line.innerText())?.[1]?.replace(',', '')
  await line.click()
  await on.page.getByRole('region', { name: 'Lines of the document' }).getByText('/things-1234/{id}').waitFor()
  expect(on.page.url()).toEndWith(`/source?line=${number}`)
  expect(on.conduct).toEqual({ foreign: [], violations: [], errors: [] })
})
