/** What a gateway recorded: which rules matched, where, and what became of the request. Never a value of the request. */
import type { GroupId } from './catalogue.ts'

export const eventActions = ['block', 'log', 'challenge', 'allow', 'skip', 'rate-limit', 'exempt'] as const
export type EventAction = (typeof eventActions)[number]

export const severities = ['critical', 'error', 'warning', 'notice'] as const
export type Severity = (typeof severities)[number]
/** What a match adds to the score of a request, as in the rule set. */
export const severityScore: Readonly<Record<Severity, number>> = { critical: 5, error: 4, warning: 3, notice: 2 }

/** One rule that matched. */
export interface EventMatch {
  readonly ruleRef: string
  readonly groupId: GroupId | null
  readonly paranoia: number | null
  readonly severity: Severity | null
  /** The name of the field: "query:q"; null: in no field. */
  readonly field: string | null
  /** How long the value was. */
  readonly length: number | null
  /** A keyed digest of the value. */
  readonly digest: string | null
  /** What the value looked like, with every run of letters and digits collapsed: "A'Aa"; null: not kept. */
  readonly shape: string | null
}

/** How the engine added up. */
export interface EventScore {
  readonly inbound: number
  readonly threshold: number
  /** Up to which level rules reported. */
  readonly detection: number
}

export interface RecordedEvent {
  readonly id: string
  readonly at: string
  readonly action: EventAction
  readonly ruleRef: string
  readonly groupId: GroupId | null
  readonly method: string | null
  /** The template of the operation; null: not known. */
  readonly route: string | null
  readonly status: number | null
  /** Number of similar requests that the event counts. */
  readonly count: number
  /** The network of the client: /24 or /48. */
  readonly network: string | null
  readonly country: string | null
  readonly score: EventScore | null
  readonly matches: readonly EventMatch[]
  /** The exceptions that applied to the request. */
  readonly exceptionIds: readonly string[]
  /** The version of the policy that the gateway followed; null: not known. */
  readonly policyVersion: number | null
  /** The version of the document that the gateway compared requests with; null: not known. */
  readonly documentId: string | null
}
