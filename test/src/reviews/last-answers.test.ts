/** Which answers count of people who were asked several times. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AskedOnce, lastAnswers } from '../../../src/reviews/last-answers.ts'

const asked = (userId: string, state: AskedOnce['state'], minute: number | null): AskedOnce => ({
  userId,
  state,
  decidedAt: minute === null ? null : new Date(minute * 60_000).toISOString(),
})
const brief = (rows: readonly AskedOnce[]) => lastAnswers(rows).map(({ userId, state }) => `${userId} ${state}`)

test('of several answers of a person the last one counts, whichever review it is of', () => {
  const [no, yes] = [asked('ben', 'changes_requested', 1), asked('ben', 'approved', 2)]
  expect([brief([no, yes]), brief([yes, no])]).toEqual([['ben approved'], ['ben approved']])
  // Of two at the same instant the objection.
  const both = [asked('ben', 'changes_requested', 2), yes]
  expect([brief(both), brief(both.toReversed())]).toEqual([['ben changes_requested'], ['ben changes_requested']])
  expect(
    brief([asked('ben', 'approved', 1), asked('ann', 'changes_requested', 2), asked('eve', 'pending', null)]),
  ).toEqual(['ben approved', 'ann changes_requested'])
})

test('who leaves a second review still objects in the first one', () => {
  const objection = asked('ben', 'changes_requested', 1)
  for (const second of [asked('ben', 'withdrawn', 2), asked('ben', 'pending', null)])
    expect([brief([objection, second]), brief([second, objection])]).toEqual([
      ['ben changes_requested'],
      ['ben changes_requested'],
    ])
  expect(brief([asked('ben', 'withdrawn', 2)])).toEqual([])
})

test('whatever was asked: each person who answered has one answer, their latest', () => {
  const states = fc.constantFrom('pending', 'approved', 'changes_requested', 'withdrawn')
  const rows = fc.uniqueArray(fc.tuple(fc.constantFrom('ann', 'ben', 'eve'), states, fc.nat(50)), {
    maxLength: 12,
    selector: ([, , minute]) => minute,
  })
  fc.assert(
    fc.property(rows, (drawn) => {
      const list = drawn.map(([userId, state, minute]) => asked(userId, state, state === 'pending' ? null : minute))
      const answers = list.filter(({ state }) => state === 'approved' || state === 'changes_requested')
      const latest = new Map(
        answers
          .toSorted((a, b) => Date.parse(a.decidedAt ?? '') - Date.parse(b.decidedAt ?? ''))
          .map((it) => [it.userId, it]),
      )
      expect(new Map(lastAnswers(list).map((it) => [it.userId, it as AskedOnce]))).toEqual(latest)
    }),
  )
})
