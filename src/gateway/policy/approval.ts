/** Approvals of risky changes by a second person: what they are bound to, and when they are worth nothing. */

export const approvalMs = 24 * 3_600_000
export const approvalStates = ['pending', 'approved', 'used', 'expired', 'stale', 'withdrawn'] as const
export type ApprovalState = (typeof approvalStates)[number]

export interface Consent {
  /** The id of a person. */
  readonly by: string
  readonly at: string
  readonly note: string
}

/** A request for approval, as it is stored. */
export interface Approval {
  readonly changeDigest: string
  readonly policyVersion: number
  /** Who asked, as "user:ID" or "api-key:ID". */
  readonly requestedBy: string
  /** The people behind the request: who asked, and who created the key that asked. None of them approves it. */
  readonly requesters: readonly string[]
  readonly expiresAt: string
  readonly approversMin: number
  readonly consents: readonly Consent[]
  readonly usedAt: string | null
  readonly withdrawnAt: string | null
}

/** What the state depends on beside the approval itself. */
export interface Moment {
  readonly now: string
  /** The version of the policy that is in force. */
  readonly policyVersion: number
}

/** The state of an approval. What has ended stays as it ended: a used one never becomes stale. */
export function approvalState(it: Approval, { now, policyVersion }: Moment): ApprovalState {
  if (it.usedAt !== null) return 'used'
  if (it.withdrawnAt !== null) return 'withdrawn'
  if (it.policyVersion !== policyVersion) return 'stale'
  if (it.expiresAt <= now) return 'expired'
  return it.consents.length >= it.approversMin ? 'approved' : 'pending'
}

export type ApprovalRefusal =
  | 'approval-self'
  | 'approval-used'
  | 'approval-expired'
  | 'approval-stale'
  | 'approval-withdrawn'
  | 'approval-mismatch'
  | 'approval-required'

const ended: Partial<Record<ApprovalState, ApprovalRefusal>> = {
  used: 'approval-used',
  expired: 'approval-expired',
  stale: 'approval-stale',
  withdrawn: 'approval-withdrawn',
}

type Step = { readonly approval: Approval; readonly refusal: null } | { readonly refusal: ApprovalRefusal }

/**
 * Adds the consent of a person.
 * @returns the approval as it is then; the same one where this person consented before
 */
export function consent(
  it: Approval,
  moment: Moment,
  { by, note }: { readonly by: string; readonly note: string },
): Step {
  const refusal = ended[approvalState(it, moment)]
  if (refusal !== undefined) return { refusal }
  if (it.requesters.includes(by)) return { refusal: 'approval-self' }
  if (it.consents.some((one) => one.by === by)) return { approval: it, refusal: null }
  return { approval: { ...it, consents: [...it.consents, { by, note, at: moment.now }] }, refusal: null }
}

/** Takes a request back, or declines it. */
export function withdraw(it: Approval, moment: Moment): Step {
  const refusal = ended[approvalState(it, moment)]
  return refusal === undefined ? { approval: { ...it, withdrawnAt: moment.now }, refusal: null } : { refusal }
}

/** Uses an approval for a change. Nothing but the change that it was given for, on the version it was given for, by who asked. */
export function use(it: Approval, moment: Moment, change: { readonly digest: string; readonly by: string }): Step {
  const state = approvalState(it, moment)
  const refusal = ended[state]
  if (refusal !== undefined) return { refusal }
  if (it.changeDigest !== change.digest || it.requestedBy !== change.by) return { refusal: 'approval-mismatch' }
  if (state === 'pending') return { refusal: 'approval-required' }
  return { approval: { ...it, usedAt: moment.now }, refusal: null }
}
