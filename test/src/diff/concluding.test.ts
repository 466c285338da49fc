/** What a comparison concludes from its facts: order, policy, accepted changes, and the sentence of it all. */
import { expect, test } from 'bun:test'
import type { Change } from '../../../src/diff/change.ts'
import { order, settled } from '../../../src/diff/conclude.ts'
import { conclusionOf, outcomeOf } from '../../../src/diff/conclusion.ts'
import { diff } from '../../../src/diff/diff.ts'
import type { Fact } from '../../../src/diff/fact.ts'
import { accepts, readIgnoreList } from '../../../src/diff/ignore.ts'
import { checkVersion, documentVersionOf } from '../../../src/diff/next-version.ts'
import type { DiffOptions, DiffResult } from '../../../src/diff/options.ts'
import type { ScopeSummary } from '../../../src/diff/scope.ts'
import { tallyOf } from '../../../src/diff/tally.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'

const result = (maxSeverity: DiffResult['maxSeverity'], verdict: DiffResult['verdict'], ignored = 0): DiffResult =>
  ({
    changes: [],
    maxSeverity,
    verdict,
    ignored: Array.from({ length: ignored }, () => ({ change: {} as Change, reason: 'x' })),
  }) as unknown as DiffResult
const scope = (breaking: number, compatible: number, docs: number): ScopeSummary =>
  ({ leftOut: { counts: { breaking, 'non-breaking': compatible, 'docs-only': docs } } }) as unknown as ScopeSummary

test('the outcome and its sentence', () => {
  const outcomes = [
    result(null, 'safe'),
    result('docs-only', 'safe'),
    result('non-breaking', 'safe'),
    result('breaking', 'unknown'),
    result('breaking', 'breaking'),
  ]
  expect(outcomes.map(outcomeOf)).toEqual(['unchanged', 'docs-only', 'compatible', 'undecided', 'breaking'])
  expect(outcomes.map((it) => conclusionOf(it))).toEqual([
    'No differences found.',
    'Descriptions and other texts differ; the interface is the same.',
    'The change is backward compatible.',
    'No change is proven to be breaking, but some could not be decided.',
    'Clients of the base document can fail with the head document.',
  ])
})

test('accepted and filtered changes are counted', () => {
  expect(conclusionOf(result(null, 'safe', 1))).toBe('No other differences found. 1 accepted change is left out.')
  expect(conclusionOf(result('non-breaking', 'safe', 2))).toBe(
    'The change is backward compatible. 2 accepted changes are left out.',
  )
  const filtered = (of: ScopeSummary) => conclusionOf(result(null, 'safe'), of)
  expect(filtered(scope(0, 0, 0))).toBe('No differences found. The filters leave out no change.')
  expect(filtered(scope(0, 1, 0))).toBe('No differences found. The filters leave out 1 change of other operations.')
  expect(filtered(scope(1, 1, 1))).toBe(
    'No differences found. The filters leave out 3 changes of other operations, 1 of them breaking or undecided.',
  )
})

test('what a list of changes amounts to', () => {
  const of = (...all: [Change['severity'], Change['classification']][]) =>
    tallyOf(all.map(([severity, classification]) => ({ severity, classification }) as Change))
  expect(of()).toMatchObject({ maxSeverity: null, verdict: 'safe' })
  expect(of(['docs-only', 'safe'], ['non-breaking', 'safe'])).toEqual({
    counts: { breaking: 0, 'non-breaking': 1, 'docs-only': 1 },
    maxSeverity: 'non-breaking',
    verdict: 'safe',
  } as never)
  expect(of(['breaking', 'unknown'])).toMatchObject({ maxSeverity: 'breaking', verdict: 'unknown' })
  expect(of(['breaking', 'unknown'], ['breaking', 'breaking'])).toMatchObject({ verdict: 'breaking' })
  expect(of(['non-breaking', 'unknown'])).toMatchObject({ maxSeverity: 'non-breaking' })
  expect(of(['breaking', 'safe'])).toMatchObject({ verdict: 'breaking' })
})

test('a list of accepted changes: what is wrong with an entry is said with its number', () => {
  const good = { match: 'schema-changed', reason: 'agreed' }
  expect(readIgnoreList([good, { ...good, until: '2026-01-31' }])).toEqual([good, { ...good, until: '2026-01-31' }])
  expect(readIgnoreList({ ignore: [good] })).toEqual([good])
  const wrong: [Json, string][] = [
    ['nothing', 'it has to be a list of {match, reason, until}'],
    [{ ignore: 'nothing' }, 'it has to be a list of {match, reason, until}'],
    [[good, 'x'], 'entry 2 must be an object'],
    [[{ reason: 'agreed' }], 'entry 1 names no fingerprint or rule under "match"'],
    [[{ ...good, match: '' }], 'entry 1 names no fingerprint or rule under "match"'],
    [[{ ...good, match: 7 }], 'entry 1 names no fingerprint or rule under "match"'],
    [[{ match: 'x' }], 'entry 1 gives no reason'],
    [[{ match: 'x', reason: ' ' }], 'entry 1 gives no reason'],
    [[{ match: 'x', reason: 7 }], 'entry 1 gives no reason'],
    [[{ ...good, until: '2026-02-30' }], '"until" of entry 1 must be a calendar date such as 2026-01-31'],
    [[{ ...good, until: 20260131 }], '"until" of entry 1 must be a calendar date such as 2026-01-31'],
  ]
  for (const [value, message] of wrong) expect([value, readIgnoreList(value)]).toEqual([value, message])
})

test('an entry is about a rule, a fingerprint, or the first eight or more characters of one', () => {
  const change = { id: 'schema-changed', fingerprint: '0123456789abcdef0123456789abcdef' }
  const matches = ['schema-changed', change.fingerprint, `#${change.fingerprint}`, '01234567', '#01234567']
  const others = ['schema', '0123456', '123456789', '01234568', 'ABCDEF01', `${change.fingerprint}0`, '']
  expect([...matches, ...others].filter((match) => accepts({ match, reason: 'x' }, change))).toEqual(matches)
})

const documentOf = (value: unknown) => parseDocument(JSON.stringify(value), { source: 'test' })
const text = { type: 'string' }
const api = (paths: object) => ({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths })
const get = (parameters: readonly object[] = [], more: object = {}) => ({
  get: { parameters, responses: { '200': { description: 'Good' } }, ...more },
})
const compare = (before: object, after: object, options: DiffOptions = {}) =>
  diff(documentOf(api(before)), documentOf(api(after)), options)

test('changes by severity, then path, method, place, rule and message', () => {
  const required = (name: string) => ({ name, in: 'query', required: true, schema: text })
  const { changes } = compare(
    { '/b': { ...get(), put: get().get }, '/a': get(), '/c': get([], { summary: 'x' }) },
    {
      '/b': { ...get([required('y'), required('x')]), put: get([required('z')]).get },
      '/a': get([required('x')]),
      '/c': get([], { summary: 'y' }),
      '/d': get(),
    },
  )
  expect(changes.map((it) => `${it.severity} ${it.path} ${it.method} ${it.head?.pointer ?? ''}`)).toEqual([
    'breaking /a GET /paths/~1a/get/parameters/0',
    'breaking /b GET /paths/~1b/get/parameters/0',
    'breaking /b GET /paths/~1b/get/parameters/1',
    'breaking /b PUT /paths/~1b/put/parameters/0',
    'non-breaking /d GET /paths/~1d/get',
    'docs-only /c GET /paths/~1c/get/summary',
  ])
  const again = compare({ '/a': get() }, { '/a': get([required('x')]) }).changes
  expect(again.map((it) => 'policy' in it)).toEqual([false])
})

test('each step of the order decides where those before it are equal', () => {
  const one = {
    severity: 'breaking',
    path: '/a',
    method: 'GET',
    head: { pointer: '/p', range: null },
    base: null,
    id: 'i',
    message: 'm',
    fingerprint: 'f',
  } as unknown as Change
  const later: Partial<Change>[] = [
    { severity: 'non-breaking' },
    { path: '/b' },
    { path: null },
    { method: 'PUT' },
    { method: null },
    { head: { pointer: '/q', range: null } },
    { head: null, base: { pointer: '/q', range: null } },
    { id: 'j' },
    { message: 'n' },
    { fingerprint: 'g' },
  ]
  for (const [at, more] of later.entries()) {
    // What comes after in the order speaks against it.
    const against = { id: 'h', message: 'l', fingerprint: 'e' }
    const weaker =
      at < 7 ? against : at === 7 ? { message: 'l', fingerprint: 'e' } : at === 8 ? { fingerprint: 'e' } : {}
    const other = { ...one, ...weaker, ...more } as Change
    expect([more, order(one, other) < 0, order(other, one) > 0]).toEqual([more, true, true])
  }
  expect(order(one, { ...one })).toBe(0)
})

test('a profile changes a verdict, and leaves one that it shares as it was proven', () => {
  const fact = { verdict: 'breaking', witness: { value: 1 }, reason: 'r' } as unknown as Fact
  expect(settled(fact, 'breaking', 'strict')).toBe(fact)
  expect(settled(fact, null, 'strict')).toBe(fact)
  expect(settled(fact, 'safe', 'lenient')).toEqual({
    ...fact,
    verdict: 'safe',
    witness: null,
    reason: 'profile lenient',
    policy: 'profile lenient',
  })
  const docs = { ...fact, verdict: 'docs' } as Fact
  expect(settled(docs, 'breaking', 'strict')).toBe(docs)
})

test('accepted until a day: that day still, the next not, and without a day for good', () => {
  const [before, after] = [{ '/a': get(), '/b': get() }, { '/a': get() }]
  const [change] = compare(before, after).changes
  const accepted = (until: string | undefined, asOf: string | undefined) => {
    const entry = { match: change!.fingerprint, reason: 'agreed', ...(until === undefined ? {} : { until }) }
    const { changes, ignored } = compare(before, after, { ignore: [entry], ...(asOf === undefined ? {} : { asOf }) })
    return [changes.length, ignored.length]
  }
  expect(accepted('2026-01-31', '2026-01-31')).toEqual([0, 1])
  expect(accepted('2026-01-31', '2026-02-01')).toEqual([1, 0])
  expect(accepted(undefined, '2026-02-01')).toEqual([0, 1])
  expect(accepted('2026-01-31', undefined)).toEqual([0, 1])
})

test('the version of a document, and whether it says enough', () => {
  const versionOf = (version: unknown) => documentVersionOf({ value: { info: { version } } as Json })
  expect([versionOf('1.0'), versionOf(2), versionOf(true), versionOf(undefined)]).toEqual(['1.0', '2', null, null])
  expect([documentVersionOf({ value: null }), documentVersionOf({ value: { info: 'x' } })]).toEqual([null, null])
  const check = (base: string | null, head: string | null, maxSeverity: DiffResult['maxSeverity']) =>
    checkVersion(base, head, { maxSeverity, verdict: maxSeverity === 'breaking' ? 'breaking' : 'safe' }).status
  expect(check('1.0.0', '1.0.0', null)).toBe('enough')
  expect(check('1.0.0', '0.9.0', null)).toBe('understated')
  expect(check('1.0.0', '1.0.0', 'docs-only')).toBe('understated')
  expect(check('1.0.0', '1.1.0', 'breaking')).toBe('understated')
  expect(check('1.0.0', '2.0.0-rc.1', 'breaking')).toBe('enough')
  expect(check('2.0.0-rc.1', '2.0.0-rc.1', 'breaking')).toBe('understated')
  expect(check(null, '1.0.0', 'breaking')).toBe('unknown')
  const next = (base: string | null) => checkVersion(base, null, { maxSeverity: 'breaking', verdict: 'breaking' }).next
  expect([next('1.2.3'), next('v1.2.3'), next('spring'), next(null)]).toEqual(['2.0.0', 'v2.0.0', null, null])
  expect(check('1.0.0', 'spring', null)).toBe('unknown')
})

test('five components that no operation uses are named, of more their number', () => {
  const said = (count: number): string =>
    conclusionOf({
      ...result(null, 'safe'),
      unused: Array.from({ length: count }, (_, n) => `/components/schemas/S${n}`),
    })
  const five = [0, 1, 2, 3, 4].map((n) => `components/schemas/S${n}`).join(', ')
  expect([said(5), said(6)]).toEqual([
    `Nothing changed for clients, but 5 components that no operation uses differ: ${five}.`,
    `Nothing changed for clients, but 6 components that no operation uses differ: ${five} and 1 more.`,
  ])
})
