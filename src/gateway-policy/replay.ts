/**
 * What a policy would have done to recorded requests, beside what the one in force does to them. An answer is exact or `unknown`: a
 * request that is said to pass would have passed.
 */
import type { RecordedEvent } from './event.ts'
import type { Policy } from './model.ts'
import type { Steps } from '../regex/program.ts'
import { effectiveText, relevantOf } from './relevant.ts'
import { outcomeOf, prepare, recordedOutcome, type Outcome, type Prepared } from './replay-outcome.ts'

export interface ReplayCounts {
  unchanged: number
  newlyBlocked: number
  newlyAllowed: number
  unknown: number
}
export interface ReplaySample {
  readonly eventId: string
  readonly at: string
  readonly method: string | null
  readonly route: string | null
  readonly ruleRef: string
  readonly before: Outcome
  readonly after: Outcome
}
export interface Replay extends Readonly<ReplayCounts> {
  /** How many events were looked at, and how many requests they are about. */
  readonly events: number
  readonly considered: number
  /** How many requests the difference between the two policies is about, or may be; absent where they do the same. */
  readonly reached?: number
  readonly byRoute: ({ readonly route: string | null } & Readonly<ReplayCounts>)[]
  readonly samples: ReplaySample[]
}

export const mostReplayed = 10_000
const mostRoutes = 50
const mostSamples = 20

const nothing = (): ReplayCounts => ({ unchanged: 0, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 })
const changed = (it: ReplayCounts): number => it.newlyBlocked + it.newlyAllowed + it.unknown

function kindOf(before: Outcome, after: Outcome): keyof ReplayCounts {
  if (before === 'unknown' || after === 'unknown') return 'unknown'
  if (after === before) return 'unchanged'
  return after === 'refused' ? 'newlyBlocked' : 'newlyAllowed'
}

/** The policy that is in force, with its version. */
export interface InForce {
  readonly policy: Policy
  readonly version: number
  /** The version of the document that it is bound to. */
  readonly documentId: string | null
}

/** A replay that takes one event after the other, for those who have others wait for their turn meanwhile. */
export class Replaying {
  readonly #candidate: Prepared
  readonly #known: ReadonlyMap<number, Prepared>
  readonly #now: string
  readonly #total = nothing()
  readonly #routes = new Map<string | null, ReplayCounts>()
  readonly #samples: ReplaySample[] = []
  readonly #present: (Pick<InForce, 'version'> & { readonly prepared: Prepared }) | null
  /** Whether the policy in force and the candidate differ in what they do. */
  readonly #isDifferent: boolean
  #events = 0
  #reached = 0

  /** Takes what `replay` takes. */
  constructor(
    candidate: Policy,
    policies: ReadonlyMap<number, Policy>,
    now: string,
    documentId: string | null = null,
    inForce: InForce | null = null,
  ) {
    this.#candidate = prepare(candidate, now, documentId)
    this.#known = new Map([...policies].map(([version, policy]) => [version, prepare(policy, now)]))
    this.#now = now
    this.#present =
      inForce === null ? null : { version: inForce.version, prepared: prepare(inForce.policy, now, inForce.documentId) }
    this.#isDifferent =
      this.#present !== null && effectiveText(this.#present.prepared) !== effectiveText(this.#candidate)
  }

  /** What the policy in force does to a request; without one, what was recorded. */
  #before(event: RecordedEvent, then: Prepared | null, steps?: Steps): Outcome {
    const present = this.#present
    if (present === null || event.policyVersion === present.version) return recordedOutcome(event)
    // What the policy of then did, the one in force does where the same of it is about the request.
    const isSame =
      then !== null && relevantOf(event, then, steps).decides === relevantOf(event, present.prepared, steps).decides
    if (isSame) return recordedOutcome(event)
    return outcomeOf({ event, then, candidate: present.prepared, now: this.#now }, steps)
  }

  /** Whether the difference of the policies is about a request, and whether it can change what becomes of it. */
  #reach(event: RecordedEvent, steps?: Steps): { readonly isReached: boolean; readonly isDecided: boolean } {
    if (this.#present === null) return { isReached: true, isDecided: true }
    const before = relevantOf(event, this.#present.prepared, steps)
    const after = relevantOf(event, this.#candidate, steps)
    return { isReached: before.says !== after.says, isDecided: before.decides !== after.decides }
  }

  /** @param steps what all patterns together may take; what they leave undecided is unknown */
  take(event: RecordedEvent, steps?: Steps): void {
    const then = event.policyVersion === null ? null : (this.#known.get(event.policyVersion) ?? null)
    const { isReached, isDecided } = this.#reach(event, steps)
    if (isReached) this.#reached += event.count
    const before = isDecided ? this.#before(event, then, steps) : 'unknown'
    const after = isDecided ? outcomeOf({ event, then, candidate: this.#candidate, now: this.#now }, steps) : 'unknown'
    const kind = isDecided ? kindOf(before, after) : 'unchanged'
    const mine = this.#routes.get(event.route) ?? nothing()
    this.#routes.set(event.route, mine)
    mine[kind] += event.count
    this.#total[kind] += event.count
    this.#events += 1
    const { id: eventId, at, method, route, ruleRef } = event
    if (kind !== 'unchanged' && this.#samples.length < mostSamples)
      this.#samples.push({ eventId, at, method, route, ruleRef, before, after })
  }

  /** What the events that it took say. */
  result(): Replay {
    return {
      ...this.#total,
      events: this.#events,
      considered: this.#total.unchanged + changed(this.#total),
      ...(this.#isDifferent ? { reached: this.#reached } : {}),
      byRoute: [...this.#routes]
        .map(([route, counts]) => ({ route, ...counts }))
        .sort((a, b) => changed(b) - changed(a) || Number((a.route ?? '') > (b.route ?? '')) - 0.5)
        .slice(0, mostRoutes),
      samples: this.#samples,
    }
  }
}

/**
 * Replays recorded events under a candidate.
 * @param events newest first; the first 10,000 are looked at
 * @param policies the versions that gateways followed when events were recorded, as far as they are known
 * @param now as an ISO text in UTC: exceptions of the candidate that ended before it do not count
 * @param documentId the version of the document that the candidate is bound to; null: none, or not known
 * @param inForce the policy that the candidate would replace; null: the candidate is compared with what was recorded
 */
export function replay(
  events: readonly RecordedEvent[],
  candidate: Policy,
  policies: ReadonlyMap<number, Policy>,
  now: string,
  documentId: string | null = null,
  inForce: InForce | null = null,
): Replay {
  const replaying = new Replaying(candidate, policies, now, documentId, inForce)
  for (const event of events.slice(0, mostReplayed)) replaying.take(event)
  return replaying.result()
}
