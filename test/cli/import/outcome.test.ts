import { catalogue, SvcError } from '../../../src/errors.ts'
import { expect, test } from 'bun:test'
import { combineExitCodes } from '../../../cli/combine-exit-codes.ts'
import { worst } from '../../../src/lint/judge.ts'
import { exitCodesOf, failuresOf, gradeOf, withUnread } from '../../../cli/import/outcome.ts'
import type { ImportItem, ImportJob } from '../../../src/api/imports.ts'
import { jobOf } from './jobs.ts'

const lint = (
  grade: 'A' | 'B' | 'F' | null,
  score: number | null,
  cap: 'invalid-document' | 'has-errors' | null = null,
): ImportJob['lint'] => ({
  grade,
  score,
  cap,
  counts: { error: 0, warning: 0, info: 0, hint: 0 },
  deductions: [],
})
const gate = (
  passed: boolean,
  reasons: string[],
  min: string | null = null,
  on: string | null = null,
): ImportJob['gate'] => ({
  passed,
  min_grade: min,
  fail_on: on,
  reasons,
})
const error = (code: string) => ({ code, message: `${code}!`, hint: '' })
const codeOf = (job: ImportJob): number =>
  combineExitCodes([...exitCodesOf(job), ...failuresOf(job).map((it) => it.exitCode)])

test('each exit code of a job, before one is chosen', () => {
  expect(exitCodesOf(jobOf('blocked', null, 7, { error: error('publish-gates-failed') }))).toEqual([3])
  expect(exitCodesOf(jobOf('blocked', null, 7))).toEqual([])
  expect(exitCodesOf(jobOf('failed', null, 7))).toEqual([6, 6])
  expect(exitCodesOf(jobOf('cancelled', null, 7))).toEqual([6, 6])
  expect(exitCodesOf(jobOf('completed', null, 7))).toEqual([])
})

test('what could not be read of a folder is a failed document of a job that ended', () => {
  const unread = [{ path: 'b', error: new SvcError('file-unreadable', { name: 'b', reason: 'closed' }) }]
  const counts = { documents: 1, created: 1, updated: 0, unchanged: 0, blocked: 0, failed: 0 }
  const item = {
    ...jobOf('completed', null, 8),
    path: 'c.yaml',
    slug: 'c',
    format: 'openapi',
    status: 'completed' as const,
  }
  const job = jobOf('completed', null, 8, { items: [item], summary: counts })
  const whole = withUnread(job, { unread })
  expect([whole.status, whole.items.map((it) => [it.path, it.status, it.error?.code]), whole.summary]).toEqual([
    'completed_with_warnings',
    [
      ['b', 'failed', 'file-unreadable'],
      ['c.yaml', 'completed', undefined],
    ],
    { ...counts, documents: 2, failed: 1 },
  ])
  expect(exitCodesOf(whole)).toEqual([6])
  expect(withUnread(job, {})).toBe(job)
  expect(withUnread({ ...job, finished_at: null }, { unread }).items).toEqual([item])
})

test('of grades of one letter the lower score is the worst', () => {
  const grades = [lint('B', 85), lint('B', 81), lint('A', 70)].map(gradeOf)
  expect(worst(grades)?.score).toBe(81)
})

test.each([
  ['completed', jobOf('completed', null, 8, { lint: lint('A', 99) }), 0],
  ['completed with warnings', jobOf('completed_with_warnings', null, 8), 0],
  ['a bad document', jobOf('failed', null, 2, { error: error('document-invalid') }), 6],
  ['a refused import', jobOf('failed', null, 2, { error: error('version-published') }), 6],
  ['a failure that this client does not know', jobOf('failed', null, 2, { error: error('from-the-future') }), 6],
  ['cancelled', jobOf('cancelled', null, 2), 6],
  ['the policy of publishing', jobOf('blocked', null, 7, { error: error('publish-gates-failed') }), 3],
  ['a missed grade', jobOf('blocked', null, 5, { gate: gate(false, ['worse'], 'A'), lint: lint('B', 85) }), 4],
  [
    'a finding too bad',
    jobOf('blocked', null, 5, { gate: gate(false, ['2 are'], null, 'error'), lint: lint('A', 99) }),
    4,
  ],
  [
    'no grade where one is asked for',
    jobOf('blocked', null, 5, { gate: gate(false, ['none'], 'A'), lint: lint(null, null) }),
    5,
  ],
  [
    'no grade, and findings besides',
    jobOf('blocked', null, 5, { gate: gate(false, ['none', '1 is'], 'A', 'error'), lint: lint(null, null) }),
    4,
  ],
  [
    'no grade where none is asked for',
    jobOf('completed', null, 8, { gate: gate(true, []), lint: lint(null, null) }),
    0,
  ],
] as const)('%s', (_, job, code) => {
  expect(codeOf(job)).toBe(code)
})

test('of a bulk import the worst document decides', () => {
  const { status: _, ...rest } = jobOf('completed', null, 8)
  const item = (status: ImportItem['status'], more: Partial<ImportItem> = {}): ImportItem => ({
    ...rest,
    path: 'a.yaml',
    slug: 'a',
    format: 'openapi',
    status,
    ...more,
  })
  const blocked = item('blocked', { gate: gate(false, ['worse'], 'A'), lint: lint('F', 10) })
  const failed = item('failed', { error: error('document-invalid') })
  expect(codeOf(jobOf('completed', null, 8, { items: [item('completed')] }))).toBe(0)
  expect(codeOf(jobOf('completed', null, 8, { items: [item('completed'), blocked] }))).toBe(4)
  expect(codeOf(jobOf('completed', null, 8, { items: [blocked, failed] }))).toBe(6)
})

test('a failure keeps the words of the service; the hint is that of the command line where it knows the code', () => {
  const failureOf = (code: string) =>
    failuresOf(jobOf('failed', null, 2, { error: { ...error('version-published'), code, hint: 'Do that.' } }))[0]
  expect(failureOf('version-published')).toMatchObject({
    code: 'version-published',
    message: 'version-published!',
    hint: catalogue['version-published'].hint,
    exitCode: 6,
  })
  expect(failureOf('of-another-version')).toMatchObject({ code: 'service-refused', hint: 'Do that.', exitCode: 6 })
})

test('the grade of several documents is the worst of them', () => {
  const capped = gradeOf(lint('B', 93, 'has-errors'))
  const invalid = gradeOf(lint('F', 0, 'invalid-document'))
  expect(gradeOf(lint(null, null))).toBeNull()
  expect(capped).toEqual({ score: 93, letter: 'B', cap: 'has-errors', deductions: [] })
  expect(worst([capped, null, invalid])).toBe(invalid)
  expect(worst([null])).toBeNull()
})
