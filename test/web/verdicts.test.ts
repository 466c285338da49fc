/** The sentences that stand above a decision: what publishing does, and whether a version can be deployed. */
import { expect, test } from 'bun:test'
import { answerWith } from '../../web/src/features/consumers/impact-answer.ts'
import { publishVerdict, type Publishing } from '../../web/src/features/versions/publish-verdict.ts'

const found = (
  counts: Partial<NonNullable<Publishing['changes']>['counts']>,
  consumers: Partial<Publishing['consumers']> = {},
): Publishing => ({
  changes: {
    base: { label: '1.1.0', slug: '1.1.0' },
    max_severity: null,
    counts: { breaking: 0, non_breaking: 0, docs_only: 0, unknown: 0, ...counts },
  },
  consumers: { total: 3, broken: [], unknown: [], ...consumers },
})

test('publishing names the consumers that break before the changes, and these before what is undecided', () => {
  const verdict = (given: Publishing) => publishVerdict('2.0.0', given)
  expect(verdict(found({ breaking: 2, unknown: 1 }, { broken: ['shop'], unknown: ['kiosk'] }))).toEqual({
    tone: 'danger',
    title: 'Publishing 2.0.0 breaks 1 of 3 consumers of 1.1.0',
  })
  expect(verdict(found({ breaking: 1, unknown: 1 }))).toEqual({
    tone: 'warn',
    title: 'Publishing 2.0.0 makes 1 breaking change to 1.1.0',
  })
  const undecided = { tone: 'warn' as const, title: 'Whether 2.0.0 breaks clients of 1.1.0 could not be decided' }
  expect([verdict(found({ unknown: 1 })), verdict(found({}, { unknown: ['kiosk'] }))]).toEqual([undecided, undecided])
  expect([verdict(found({ non_breaking: 4 })), verdict({ ...found({}), changes: null })]).toEqual([null, null])
})

test('a known break is the answer, whatever could not be decided', () => {
  const unknown = { answer: 'unknown' as const, message: 'It cannot be said.', missing: 'a verdict' }
  const broken = { status: 'broken' as const, name: 'Shop' }
  expect(answerWith(unknown, broken, '2.0.0')).toEqual({
    answer: 'no',
    message: '2.0.0 breaks Shop.',
    missing: null,
  })
  const no = { answer: 'no' as const, message: '2.0.0 breaks Shop: a path was removed', missing: null }
  expect(answerWith(no, broken, '2.0.0')).toBe(no)
  expect(answerWith(unknown, { ...broken, status: 'unknown' }, '2.0.0')).toBe(unknown)
  expect(answerWith(unknown, undefined, '2.0.0')).toBe(unknown)
})
