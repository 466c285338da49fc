/** What becomes of a delivery and of its subscription after an attempt: pure, so that every order of outcomes can be tested. */
import type { DeliveryStatus, disabledReasons } from '../../db/tables/webhooks.ts'

export type DisabledReason = (typeof disabledReasons)[number]

/** What an attempt led to. */
export interface Outcome {
  readonly isAccepted: boolean
  /** Why it was not accepted: "http-503", "timeout" …; null where it was. */
  readonly errorClass: string | null
  /** How long the receiver asks to wait. */
  readonly retryAfterMs: number | null
  /** What the receiver asks for beside that: to end this message, or to send it nothing any more. */
  readonly request: 'abort-message' | 'disable' | 'gone' | null
}

export interface DeliveryState {
  readonly status: DeliveryStatus
  readonly attemptCount: number
  /** Attempts that were made before the schedule began (again). */
  readonly scheduledFrom: number
  /** Milliseconds since the epoch. */
  readonly dueAt: number | null
  readonly lastError: string | null
}

/** What a subscription remembers of its attempts. */
export interface Health {
  readonly active: boolean
  readonly failures: number
  readonly failingSince: number | null
  readonly pausedUntil: number | null
  readonly disabledReason: DisabledReason | null
}

export interface Rules {
  /** The pause before each attempt, in milliseconds: one entry for each attempt. */
  readonly schedule: readonly number[]
  readonly now: number
  /** From 0 to 1. */
  readonly random: number
}

const hour = 3_600_000
const longestRetryAfter = 24 * hour
const jitter = 0.1
/** So many failures in a row pause a subscription. */
export const failuresBeforePause = 5
const longestPause = 5 * 60_000
const disableAfter = 5 * 24 * hour
// Two failures far apart are not five days of failure.
const leastFailures = 10

/** 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: ten attempts in 75 hours. */
export const defaultSchedule: readonly number[] = [
  0,
  5000,
  5 * 60_000,
  30 * 60_000,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** A pause, ten per cent shorter or longer by chance, so that retries do not come all at once. */
export const withJitter = (ms: number, random: number): number => Math.round(ms * (1 - jitter + 2 * jitter * random))

/** A delivery after an attempt. `isActive`: whether its subscription still is, after this outcome. */
export function afterAttempt(state: DeliveryState, outcome: Outcome, isActive: boolean, rules: Rules): DeliveryState {
  const attemptCount = state.attemptCount + 1
  const ended = (status: DeliveryStatus, lastError: string | null): DeliveryState => ({
    ...state,
    status,
    attemptCount,
    dueAt: null,
    lastError,
  })
  if (outcome.isAccepted) return ended('delivered', null)
  if (outcome.request === 'abort-message') return ended('cancelled', 'abort-message')
  if (!isActive) return ended('cancelled', outcome.errorClass)
  const pause = rules.schedule[attemptCount - state.scheduledFrom]
  if (pause === undefined) return ended('dead_letter', outcome.errorClass)
  const asked = Math.min(outcome.retryAfterMs ?? 0, longestRetryAfter)
  const dueAt = rules.now + Math.max(withJitter(pause, rules.random), asked)
  return { ...state, status: 'retrying', attemptCount, dueAt, lastError: outcome.errorClass }
}

/** A subscription after an attempt. */
export function afterOutcome(health: Health, outcome: Outcome, rules: Rules): Health {
  const disabled = (reason: DisabledReason): Health => ({
    ...health,
    active: false,
    pausedUntil: null,
    disabledReason: health.disabledReason ?? reason,
  })
  if (health.active && outcome.request === 'gone') return disabled('gone')
  if (health.active && outcome.request === 'disable') return disabled('receiver')
  if (outcome.isAccepted || outcome.request === 'abort-message')
    return { ...health, failures: 0, failingSince: null, pausedUntil: null }
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? rules.now
  if (health.active && failures >= leastFailures && rules.now - failingSince >= disableAfter)
    return { ...disabled('failing'), failures, failingSince }
  // A schedule that the operator made shorter than the pause is not held up by it.
  const pause = Math.min(longestPause, Math.max(...rules.schedule))
  return { ...health, failures, failingSince, pausedUntil: failures >= failuresBeforePause ? rules.now + pause : null }
}
