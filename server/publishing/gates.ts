import type { VersionStatus } from '../../db/tables/versions.ts'
import type { Gate } from '../../src/api/versions.ts'
import type { ConsumerImpact } from '../../src/contracts/impact.ts'
import type { Change } from '../../src/diff/change.ts'
import type { Analysis } from '../analysis/door.ts'
import type { GatewayImpact } from '../gateway/door.ts'
import type { Policy } from '../style-guides/door.ts'
import { verdictOf, type ApprovalFacts } from '../../src/reviews/approvals.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'
import { lintGates, underPolicy } from './lint-gates.ts'
import { gatewayImpact } from './gateway-gate.ts'
import { plural } from '../../src/kernel/plural.ts'

/** What the gates look at. */
export interface GateFacts {
  readonly label: string
  /** Messages of the problems that make the document invalid. */
  readonly invalid: readonly string[]
  readonly unresolvedRefs: number
  readonly grade: Analysis['grade']
  readonly policy: Policy
  /** Where the findings are read; null where these bytes are not stored. */
  readonly lintUrl: string | null
  /** The version that is published now, compared with this one; null where nothing is published. */
  readonly published: {
    readonly label: string
    readonly changes: readonly Change[]
    readonly changesUrl: string | null
  } | null
  /** What the step means for the consumers that declared what they use; null where nothing is published. */
  readonly impact: readonly Pick<ConsumerImpact, 'handle' | 'status'>[] | null
  /** How many consumers declared what they use. */
  readonly consumers: number
  /** What gateways that follow the project would refuse; null where none does. */
  readonly gateways: readonly GatewayImpact[] | null
  /** What reviews and threads say; null for a candidate that is only tried. */
  readonly reviews: ApprovalFacts | null
}

const gate = (id: string, status: Gate['status'], message: string, evidence: string | null = null): Gate => ({
  id,
  status,
  message,
  evidence_url: evidence,
})

function documentValid({ invalid, lintUrl }: Pick<GateFacts, 'invalid' | 'lintUrl'>): Gate {
  if (invalid.length === 0) return gate('document-valid', 'pass', 'The document is valid.', lintUrl)
  const more = invalid.length > 1 ? ` (and ${plural(invalid.length - 1, 'more problem')})` : ''
  return gate('document-valid', 'fail', `${invalid[0]}${more}`, lintUrl)
}

function againstPublished(facts: GateFacts): Gate[] {
  const { published } = facts
  if (published === null) {
    const why = 'No version is published yet.'
    return ['breaking-guardrail', 'semver-consistent', 'compat'].map((id) => gate(id, 'pass', why))
  }
  return [breaking(published), semver(facts.label, published), compat(published)]
}

type Published = NonNullable<GateFacts['published']>

function breaking({ label, changes, changesUrl }: Published): Gate {
  const count = changes.filter((change) => change.classification === 'breaking').length
  const undecided = changes.filter((change) => change.classification === 'unknown').length
  if (count === 0 && undecided > 0)
    return gate(
      'breaking-guardrail',
      'unknown',
      `No change is proven to break clients of ${label}, but ${plural(undecided, 'change')} could not be decided.`,
      changesUrl,
    )
  return count === 0
    ? gate('breaking-guardrail', 'pass', `Nothing breaks clients of ${label}.`, changesUrl)
    : gate(
        'breaking-guardrail',
        'warn',
        `${plural(count, 'change')} ${count === 1 ? 'breaks' : 'break'} clients of ${label}.`,
        changesUrl,
      )
}

function compat({ label, changes, changesUrl }: Published): Gate {
  const undecided = changes.filter((change) => change.classification === 'unknown').length
  if (undecided > 0)
    return gate(
      'compat',
      'unknown',
      `${plural(undecided, 'change')} against ${label} could not be decided.`,
      changesUrl,
    )
  const breaks = changes.some((change) => change.classification === 'breaking')
  return breaks
    ? gate('compat', 'warn', `Not compatible with ${label}.`, changesUrl)
    : gate('compat', 'pass', `Proven compatible with ${label}.`, changesUrl)
}

const major = (label: string): string | null => /^v?(\d+)/.exec(label)?.[1] ?? null

function semver(label: string, published: Published): Gate {
  const evidence = published.changesUrl
  if (major(label) === null || major(published.label) === null)
    return gate(
      'semver-consistent',
      'skipped',
      `"${label}" or "${published.label}" is not a semantic version.`,
      evidence,
    )
  if (compareLabels(label, published.label) <= 0)
    return gate(
      'semver-consistent',
      'warn',
      `${label} is not greater than the published version ${published.label}.`,
      evidence,
    )
  const breaks = published.changes.some((change) => change.severity === 'breaking')
  // Below 1.0.0 anything may change at any time (Semantic Versioning 2.0.0, section 4).
  const sameMajor = major(label) === major(published.label) && major(label) !== '0'
  return breaks && sameMajor
    ? gate(
        'semver-consistent',
        'warn',
        `${label} breaks clients of ${published.label} and has the same major version.`,
        evidence,
      )
    : gate('semver-consistent', 'pass', `${label} is a correct next version after ${published.label}.`, evidence)
}

const unresolvedRefs = (count: number, lintUrl: string | null): Gate =>
  count === 0
    ? gate('unresolved-refs', 'pass', 'All references can be resolved.', lintUrl)
    : gate('unresolved-refs', 'warn', `${plural(count, 'reference')} cannot be resolved.`, lintUrl)

const mostNamed = 5

function consumerImpact({ consumers, impact, published }: GateFacts): Gate {
  if (consumers === 0) return gate('consumer-impact', 'skipped', 'No consumer contract is registered for this project.')
  if (impact === null || published === null) return gate('consumer-impact', 'pass', 'No version is published yet.')
  const { label, changesUrl } = published
  const named = (status: ConsumerImpact['status']): readonly string[] =>
    impact.filter((it) => it.status === status).map((it) => it.handle)
  const list = (handles: readonly string[]): string =>
    handles.slice(0, mostNamed).join(', ') +
    (handles.length > mostNamed ? ` and ${handles.length - mostNamed} more` : '')
  const [broken, undecided] = [named('broken'), named('unknown')]
  if (broken.length > 0)
    return gate(
      'consumer-impact',
      'warn',
      `${plural(broken.length, 'consumer')} of ${label} would break: ${list(broken)}.`,
      changesUrl,
    )
  if (undecided.length > 0)
    return gate(
      'consumer-impact',
      'unknown',
      `Whether ${plural(undecided.length, 'consumer')} of ${label} would break could not be decided: ${list(undecided)}.`,
      changesUrl,
    )
  return gate(
    'consumer-impact',
    'pass',
    `${plural(consumers, 'consumer')} of ${label} ${consumers === 1 ? 'keeps' : 'keep'} everything in use.`,
    changesUrl,
  )
}

/** A content that no one can have reviewed. */
export const unreviewed: ApprovalFacts = { isRequested: false, answers: [], rules: [], openThreads: 0 }

function approval({ reviews, policy }: GateFacts): Gate {
  if (reviews === null) return gate('approval', 'skipped', 'Only stored drafts are reviewed.')
  const { approvalPolicy, policyGates, requiredReviewerRole: role } = policy
  const isRequired = approvalPolicy.required || policyGates.approval === 'block'
  const verdict = verdictOf(reviews, { isRequired, needed: approvalPolicy.minApprovals, role })
  const status = { approved: 'pass', missing: 'warn', none: 'skipped' } as const
  return gate('approval', status[verdict.status], verdict.message)
}

function threadsResolved({ reviews }: GateFacts): Gate {
  if (reviews === null) return gate('threads-resolved', 'skipped', 'Only stored drafts have threads.')
  const open = reviews.openThreads
  return open === 0
    ? gate('threads-resolved', 'pass', 'No thread is open.')
    : gate('threads-resolved', 'warn', `${plural(open, 'thread')} ${open === 1 ? 'is' : 'are'} open.`)
}

// A guardrail that asks for an approval is met by approvals that count; what is undecided stays undecided.
function approvedBreaking(judged: Gate, before: Gate, { reviews, policy }: GateFacts): Gate {
  if (policy.breakingPublishGuardrail !== 'approve' || judged.status !== 'fail') return judged
  const { requiredReviewerRole: role, approvalPolicy } = policy
  const { status, message } = verdictOf(reviews ?? unreviewed, {
    isRequired: true,
    needed: approvalPolicy.minApprovals,
    role,
  })
  if (status !== 'approved') return { ...judged, message: `${judged.message} ${message}` }
  return {
    ...before,
    status: before.status === 'unknown' ? 'unknown' : 'pass',
    message: `${before.message} ${message}`,
  }
}

/**
 * Evaluates every publish gate under the policy; a fresh one lets only an invalid document fail, what else is wrong warns.
 */
export function evaluateGates(facts: GateFacts): Gate[] {
  const { grade, policy, lintUrl } = facts
  const all = [
    documentValid(facts),
    unresolvedRefs(facts.unresolvedRefs, lintUrl),
    ...lintGates(grade, policy, lintUrl),
    ...againstPublished(facts),
    consumerImpact(facts),
    gatewayImpact(facts.label, facts.gateways, facts.published?.changesUrl ?? null),
    threadsResolved(facts),
    approval(facts),
  ]
  return underPolicy(all, policy).map((one, at) =>
    one.id === 'breaking-guardrail' ? approvedBreaking(one, all[at] ?? one, facts) : one,
  )
}

/**
 * The gates that look at the document alone: for a candidate that is not stored as a version yet.
 * @param missingTypes how many of its references name no type of the registry
 */
export const gatesOfCandidate = (analysis: Analysis, policy: Policy, missingTypes: number): Gate[] =>
  underPolicy(
    [
      documentValid({ invalid: analysis.invalid, lintUrl: null }),
      unresolvedRefs(analysis.unresolvedRefs + missingTypes, null),
      ...lintGates(analysis.grade, policy, null),
    ],
    policy,
  )

/** The gates that stop publishing: with force all but `document-valid` may be skipped. */
export const stoppingGates = (gates: readonly Gate[], force: boolean): Gate[] =>
  gates.filter((one) => one.status === 'fail' && (!force || one.id === 'document-valid'))

/** Whether a version can be published as it is: a draft that no gate stops. */
export const isReady = (status: VersionStatus, gates: readonly Gate[]): boolean =>
  status === 'draft' && stoppingGates(gates, false).length === 0
