import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  afterAttempt,
  afterOutcome,
  defaultSchedule,
  failuresBeforePause,
  withJitter,
  type DeliveryState,
  type Health,
  type Outcome,
} from '../../../server/webhooks/state.ts'
import { Share } from '../../../server/loop/share.ts'
import { readSchedule } from '../../../server/webhooks/settings.ts'

const hour = 3_600_000
const day = 24 * hour
const accepted: Outcome = { isAccepted: true, errorClass: null, retryAfterMs: null, request: null }
const failed = (over: Partial<Outcome> = {}): Outcome => ({
  ...accepted,
  isAccepted: false,
  errorClass: 'http-500',
  ...over,
})
const fresh: DeliveryState = { status: 'pending', attemptCount: 0, scheduledFrom: 0, dueAt: 0, lastError: null }
const healthy: Health = { active: true, failures: 0, failingSince: null, pausedUntil: null, disabledReason: null }
const rules = { schedule: defaultSchedule, now: 0, random: 0.5 }

test('the usual schedule makes ten attempts in about 75 hours, and a setting replaces it', () => {
  let it = fresh
  let now = 0
  for (let n = 1; n <= 9; n++) {
    it = afterAttempt(it, failed(), true, { ...rules, now })
    expect([it.status, it.attemptCount]).toEqual(['retrying', n])
    now = it.dueAt ?? Number.NaN
  }
  expect(now).toBe(defaultSchedule.reduce((sum, pause) => sum + pause))
  expect(Math.round(now / hour)).toBe(76)
  expect(afterAttempt(it, failed(), true, { ...rules, now })).toMatchObject({
    status: 'dead_letter',
    attemptCount: 10,
    dueAt: null,
  })
  expect(readSchedule('0s,5s,5m,30m,2h,5h,10h,14h,20h,24h')).toEqual(defaultSchedule)
  expect([readSchedule(''), readSchedule('1s,,2s'), readSchedule('8d'), readSchedule('1s,'.repeat(50) + '1s')]).toEqual(
    [null, null, null, null],
  )
})

test('a replay begins the schedule again, after as many attempts as were made', () => {
  const replayed: DeliveryState = { ...fresh, attemptCount: 10, scheduledFrom: 10 }
  const first = afterAttempt(replayed, failed(), true, rules)
  expect(first).toEqual({ ...replayed, status: 'retrying', attemptCount: 11, dueAt: 5000, lastError: 'http-500' })
  expect(afterAttempt(first, failed(), true, rules).dueAt).toBe(5 * 60_000)
  expect(afterAttempt({ ...replayed, attemptCount: 19 }, failed(), true, rules)).toMatchObject({
    status: 'dead_letter',
    attemptCount: 20,
  })
})

test('a pause is ten per cent shorter or longer at most, and the receiver may ask for up to a day', () => {
  expect([withJitter(1000, 0), withJitter(1000, 0.5), withJitter(1000, 1)]).toEqual([900, 1000, 1100])
  const dueAt = (retryAfterMs: number) => afterAttempt(fresh, failed({ retryAfterMs }), true, rules).dueAt
  expect([dueAt(1000), dueAt(6000), dueAt(9 * day)]).toEqual([5000, 6000, day])
})

test('what the receiver asks for ends the message or the subscription', () => {
  expect(afterAttempt(fresh, failed({ request: 'abort-message' }), true, rules)).toMatchObject({
    status: 'cancelled',
    lastError: 'abort-message',
  })
  expect(afterOutcome(healthy, failed({ request: 'abort-message' }), rules)).toEqual(healthy)
  expect(afterOutcome(healthy, failed({ request: 'gone' }), rules)).toMatchObject({
    active: false,
    disabledReason: 'gone',
  })
  expect(afterOutcome(healthy, { ...accepted, request: 'disable' }, rules)).toMatchObject({
    active: false,
    disabledReason: 'receiver',
  })
  const off = { ...healthy, active: false }
  expect(afterOutcome(off, failed({ request: 'gone' }), rules)).toMatchObject({ disabledReason: null, failures: 1 })
})

test('five failures in a row pause for five minutes, never longer than the schedule waits', () => {
  const four = { ...healthy, failures: failuresBeforePause - 2, failingSince: 0 }
  expect(afterOutcome(four, failed(), rules)).toMatchObject({ failures: 4, pausedUntil: null })
  expect(afterOutcome({ ...four, failures: 4 }, failed(), rules)).toMatchObject({ failures: 5, pausedUntil: 300_000 })
  expect(afterOutcome({ ...four, failures: 4 }, failed(), { ...rules, schedule: [0, 1000] }).pausedUntil).toBe(1000)
  expect(afterOutcome({ ...four, failures: 7, pausedUntil: 5 }, accepted, rules)).toEqual(healthy)
})

test('five days of failures switch a subscription off; a few far apart do not', () => {
  const failing = { ...healthy, failures: 9, failingSince: 0 }
  expect(afterOutcome(failing, failed(), { ...rules, now: 5 * day - 1 }).active).toBe(true)
  expect(afterOutcome(failing, failed(), { ...rules, now: 5 * day })).toMatchObject({
    active: false,
    disabledReason: 'failing',
  })
  expect(afterOutcome({ ...failing, failures: 1 }, failed(), { ...rules, now: 9 * day }).active).toBe(true)
})

test('whatever receivers answer: every delivery ends, in no more attempts than scheduled, and never twice', () => {
  const outcomes = fc.oneof(
    fc.constant(accepted),
    fc.record({
      isAccepted: fc.constant(false),
      errorClass: fc.constant('http-500'),
      retryAfterMs: fc.option(fc.nat(10 * day), { nil: null }),
      request: fc.constantFrom(null, null, null, 'abort-message' as const, 'disable' as const, 'gone' as const),
    }),
    fc.record({
      isAccepted: fc.constant(true),
      errorClass: fc.constant(null),
      retryAfterMs: fc.constant(null),
      request: fc.constantFrom('disable' as const),
    }),
  )
  const schedules = fc.array(fc.nat(7 * day), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(outcomes, { minLength: 12, maxLength: 12 }), schedules, fc.nat(5), (given, schedule, from) => {
      let it: DeliveryState = { ...fresh, attemptCount: from, scheduledFrom: from }
      let health = healthy
      let now = 0
      for (const outcome of given) {
        const at = { schedule, now, random: 0.5 }
        const before = health
        health = afterOutcome(health, outcome, at)
        it = afterAttempt(it, outcome, health.active, at)
        expect(it.attemptCount - from).toBeLessThanOrEqual(schedule.length)
        expect(it.dueAt === null).toBe(it.status !== 'retrying')
        expect(it.status === 'delivered').toBe(outcome.isAccepted)
        expect(health.active || health.disabledReason !== null).toBe(true)
        expect(before.active || !health.active).toBe(true)
        if (it.status !== 'retrying') return
        expect(health.active).toBe(true)
        expect(it.dueAt).toBeGreaterThanOrEqual(now)
        now = Math.max(it.dueAt ?? 0, health.pausedUntil ?? 0)
      }
      throw new Error('a delivery did not end')
    }),
  )
})

test('organizations take turns, whichever has more waiting', () => {
  const due = (tenantId: string, since: string) => ({ tenantId, since })
  const many = [due('a', '1'), due('a', '2'), due('a', '3'), due('b', '9'), due('c', '8')]
  expect(new Share(10).order(many).map(({ tenantId, since }) => tenantId + since)).toEqual([
    'a1',
    'c8',
    'b9',
    'a2',
    'a3',
  ])
})
