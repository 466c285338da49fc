/**
 * What a policy would have done to recorded requests. An answer is exact or `unknown`: a request that is said to pass would have
 * passed.
 */
import type { RecordedEvent } from './event.ts'
import type { Policy } from './model.ts'
import { outcomeOf, prepare, recordedOutcome, type Outcome } from './replay-outcome.ts'

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
  readonly before: 'refused' | 'passed'
  readonly after: Outcome
}
export interface Replay extends Readonly<ReplayCounts> {
  /** How many events were looked at, and how many requests they are about. */
  readonly events: number
  readonly considered: number
  readonly byRoute: ({ readonly route: string | null } & Readonly<ReplayCounts>)[]
  readonly samples: ReplaySample[]
}

export const mostReplayed = 10_000
const mostRoutes = 50
const mostSamples = 20

/**
 * Replays recorded events under a candidate.
 * @param events newest first; the first 10,000 are looked at
 * @param policies the versions that gateways followed when events were recorded, as far as they are known
 * @param now as an ISO text in UTC: exceptions of the candidate that ended before it do not count
 * @param documentId the version of the document that the candidate is bound to; null: none, or not known
 */
export function replay(
  events: readonly RecordedEvent[],
  candidate: Policy,
  policies: ReadonlyMap<number, Policy>,
  now: string,
  documentId: string | null = null,
): Replay {
  const prepared = prepare(candidate, now, documentId)
  const known = new Map([...policies].map(([version, policy]) => [version, prepare(policy, now)]))
  const nothing = (): ReplayCounts => ({ unchanged: 0, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 })
  const total = nothing()
  const routes = new Map<string | null, ReplayCounts>()
  const samples: ReplaySample[] = []
  const looked = events.slice(0, mostReplayed)
  for (const event of looked) {
    const then = event.policyVersion === null ? null : (known.get(event.policyVersion) ?? null)
    const before = recordedOutcome(event)
    const after = outcomeOf({ event, then, candidate: prepared, now })
    const kind =
      after === 'unknown'
        ? 'unknown'
        : after === before
          ? 'unchanged'
          : after === 'refused'
            ? 'newlyBlocked'
            : 'newlyAllowed'
    const mine = routes.get(event.route) ?? nothing()
    routes.set(event.route, mine)
    mine[kind] += event.count
    total[kind] += event.count
    const { id: eventId, at, method, route, ruleRef } = event
    if (kind !== 'unchanged' && samples.length < mostSamples)
      samples.push({ eventId, at, method, route, ruleRef, before, after })
  }
  const changed = (it: ReplayCounts) => it.newlyBlocked + it.newlyAllowed + it.unknown
  return {
    ...total,
    events: looked.length,
    considered: total.unchanged + total.newlyBlocked + total.newlyAllowed + total.unknown,
    byRoute: [...routes]
      .map(([route, counts]) => ({ route, ...counts }))
      .sort((a, b) => changed(b) - changed(a) || Number((a.route ?? '') > (b.route ?? '')) - 0.5)
      .slice(0, mostRoutes),
    samples,
  }
}
