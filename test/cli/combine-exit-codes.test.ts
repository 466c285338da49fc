/** What a process ends with, as functions of what happened. */
import { expect, test } from 'bun:test'
import { exitCodeOf, type Gate } from '../../cli/diff/gate.ts'
import { endOf, exitCodeOfAnswer, exitCodeOfSignal } from '../../cli/combine-exit-codes.ts'
import { preflightCodes } from '../../cli/import/preflight-codes.ts'
import { describeFailure, reportFailure, withRequestId } from '../../cli/failure.ts'
import { UsageError } from '../../cli/usage-error.ts'
import { acceptanceNotes, readJudging } from '../../cli/diff/judging.ts'
import type { Change } from '../../src/diff/change.ts'
import { SvcError } from '../../src/errors.ts'

const unreachable = new SvcError('transport-failed', { url: 'http://a', reason: 'refused' })
const missing = new SvcError('project-not-found', { project: 'a' })

test('one exit code, several, none; failures count with theirs, and the one that decides is the worst', () => {
  expect(endOf(undefined, [])).toEqual({ exitCode: 0, worst: undefined })
  expect(endOf(5, [])).toEqual({ exitCode: 5, worst: undefined })
  expect(endOf([5, 4], [])).toEqual({ exitCode: 4, worst: undefined })
  expect(endOf([], [])).toEqual({ exitCode: 0, worst: undefined })
  expect(endOf(0, [missing, unreachable])).toEqual({ exitCode: 2, worst: missing })
  expect(endOf(0, [unreachable, missing])).toEqual({ exitCode: 2, worst: missing })
  expect(endOf(70, [unreachable, missing])).toEqual({ exitCode: 70, worst: unreachable })
})

test('a signal ends with its number', () => {
  const of = (reason: unknown) => exitCodeOfSignal({ reason })
  expect(of(new DOMException('SIGINT', 'AbortError'))).toBe(130)
  expect(of(new DOMException('SIGTERM', 'AbortError'))).toBe(143)
  expect([of('SIGTERM'), of(undefined), of(new Error('SIGTERM'))]).toEqual([130, 130, 130])
})

const change = (severity: Change['severity'], classification: Change['classification']) => ({
  severity,
  classification,
})
const result = (...changes: ReturnType<typeof change>[]) => ({
  changes,
  maxSeverity: changes[0]?.severity ?? null,
  verdict: changes[0]?.classification ?? ('safe' as const),
})
const none = result()
const docs = result(change('docs-only', 'safe'))
const compatible = result(change('non-breaking', 'safe'))
const undecided = result(change('breaking', 'unknown'))
const breaking = result(change('breaking', 'breaking'))
const all = [none, docs, compatible, undecided, breaking]
const plain = { allowUnknown: false, understated: false }
const codes = (gate: Partial<Gate>, how: Partial<typeof plain> = {}) =>
  all.map((it) => exitCodeOf(it, { failOn: undefined, tellsOutcome: false, ...gate }, { ...plain, ...how }))

test('a comparison fails from the severity of its gate on, or tells its outcome', () => {
  expect(codes({})).toEqual([0, 0, 0, 0, 0])
  expect(codes({ failOn: 'breaking' })).toEqual([0, 0, 0, 4, 4])
  expect(codes({ failOn: 'non-breaking' })).toEqual([0, 0, 4, 4, 4])
  expect(codes({ failOn: 'docs-only' })).toEqual([0, 4, 4, 4, 4])
  expect(codes({ failOn: 'breaking' }, { allowUnknown: true })).toEqual([0, 0, 0, 0, 4])
  expect(codes({ tellsOutcome: true })).toEqual([0, 10, 11, 12, 13])
  expect(codes({ tellsOutcome: true }, { understated: true })).toEqual([4, 4, 4, 4, 4])
  expect(
    exitCodeOf(
      result(change('breaking', 'unknown'), change('breaking', 'breaking')),
      { failOn: 'breaking', tellsOutcome: false },
      { ...plain, allowUnknown: true },
    ),
  ).toBe(4)
})

test('a severity of a rule that cannot be read is a mistake of usage', async () => {
  const read = (severity: string[]) =>
    readJudging({ config: undefined, profile: null, severity, ignore: [] }, import.meta.dir).then(
      (it) => it.overrides,
      (error: SvcError) => error.code,
    )
  expect(await read(['operation-removed=non-breaking'])).toEqual({ 'operation-removed': 'non-breaking' })
  for (const wrong of ['operation-removed=odd', 'no-such-rule=breaking', 'operation-removed'])
    expect([wrong, await read([wrong])]).toEqual([wrong, 'usage'])
})

test('what is said of acceptances that do nothing: ended before the day, or matching nothing', () => {
  const used = [{ ignored: [{ change: { id: 'a', fingerprint: '0'.repeat(32) } as Change, reason: 'x' }] }]
  const notes = (match: string, until?: string) =>
    acceptanceNotes([{ match, reason: 'agreed', ...(until === undefined ? {} : { until }) }], used, '2026-05-05')
  expect(notes('a')).toEqual([])
  expect(notes('a', '2026-05-05')).toEqual([])
  expect(notes('a', '2026-05-04')).toEqual(['The acceptance of a ended on 2026-05-04: agreed'])
  expect(notes('b')).toEqual(['The acceptance of b matches nothing here: agreed'])
})

test('a failure as programs read it: retryable or not, with the request it came from', () => {
  expect(describeFailure(unreachable, 'x')).toMatchObject({ retryable: true, requestId: null, exitCode: 1 })
  expect(describeFailure(missing, 'x')).toMatchObject({ retryable: false, exitCode: 2 })
  expect(describeFailure(new TypeError('odd'), 'x')).toMatchObject({
    code: 'internal',
    message: 'svc failed: TypeError: odd',
    retryable: false,
    requestId: null,
    exitCode: 70,
  })
  expect(describeFailure('odd', 'x').message).toBe('svc failed: odd')
  const known = withRequestId(new SvcError('project-not-found', { project: 'a' }), 'r-1')
  expect(describeFailure(known, 'x').requestId).toBe('r-1')
  expect(describeFailure(withRequestId(known, null), 'x').requestId).toBe('r-1')
  expect(describeFailure(new SvcError('usage', { reason: 'a' }), 'lint').hint).toStartWith('Run "svc lint --help"')
  expect(describeFailure(new SvcError('usage', { reason: 'a' }), '').hint).toStartWith('Run "svc --help"')
})

test('a failure as people read it: usage only where there is one, its stack where it has one', () => {
  const said = (thrown: unknown): string[] => {
    const lines: string[] = []
    const log = { error: (text: string) => lines.push(text), debug: (text: string) => lines.push(`debug ${text}`) }
    reportFailure(thrown, 'x', { log, colour: { stdout: false, stderr: false } } as never)
    return lines
  }
  expect(said(new UsageError('no'))[0]).toBe('no\nhint: Run "svc x --help" for arguments and options.')
  expect(said(new UsageError('no', 'svc x'))[0]).toContain('\nusage: svc x\n')
  expect(said(missing)[0]).toEndWith('(project-not-found; svc explain project-not-found)')
  expect(said(withRequestId(new SvcError('project-not-found', { project: 'a' }), 'r-2'))[0]).toContain(', request r-2;')
  expect(said(missing)[1]).toStartWith('debug svc ')
  expect(said('odd')).toHaveLength(1)
})

test('whether it can be deployed: only yes is a success, unknown where that is allowed', () => {
  const answers = ['yes', 'no', 'unknown'] as const
  expect(answers.map((it) => exitCodeOfAnswer(it, false))).toEqual([0, 3, 3])
  expect(answers.map((it) => exitCodeOfAnswer(it, true))).toEqual([0, 3, 0])
})

test('a preflight: nothing to grade, refused, blocked by the policy, a threshold that was asked for', () => {
  type Answer = Parameters<typeof preflightCodes>[0]
  const good = {
    grade: { grade: 'A' },
    gate: { passed: true },
    policy: { verdict: 'ok' },
    refusal: null,
  } as unknown as Answer
  const codes = (more: object, asked = false) => preflightCodes({ ...good, ...more }, asked)
  expect(codes({})).toEqual([])
  expect(codes({ grade: { grade: null } })).toEqual([5])
  expect(codes({ refusal: { code: 'format-unknown' }, policy: { verdict: 'blocked' } })).toEqual([5])
  expect(codes({ refusal: { code: 'document-invalid' } })).toEqual([6])
  expect(codes({ policy: { verdict: 'blocked' } })).toEqual([3])
  expect(codes({ gate: { passed: false } })).toEqual([])
  expect(codes({ gate: { passed: false } }, true)).toEqual([4])
  expect(codes({ gate: { passed: true } }, true)).toEqual([])
})
