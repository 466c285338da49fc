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

/** Why an approval did not make its change although it should have. */
export interface NotApplied {
  readonly code: string
  readonly message: string
  readonly at: string
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
export function approvalState(approval: Approval, { now, policyVersion }: Moment): ApprovalState {
  if (approval.usedAt !== null) return 'used'
  if (approval.withdrawnAt !== null) return 'withdrawn'
  if (approval.policyVersion !== policyVersion) return 'stale'
  if (approval.expiresAt <= now) return 'expired'
  return approval.consents.length >= approval.approversMin ? 'approved' : 'pending'
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
  entry: Approval,
  moment: Moment,
  { by, note }: { readonly by: string; readonly note: string },
): Step {
  const refusal = ended[approvalState(entry, moment)]
  if (refusal !== undefined) return { refusal }
  if (entry.requesters.includes(by)) return { refusal: 'approval-self' }
  if (entry.consents.some((one) => one.by === by)) return { approval: entry, refusal: null }
  return { approval: { ...entry, consents: [...entry.consents, { by, note, at: moment.now }] }, refusal: null }
}

/** Takes a request back, or declines it. */
export function withdraw(it: Approval, moment: Moment): Step {
  const refusal = ended[approvalState(it, moment)]
  return refusal === undefined ? { approval: { ...it, withdrawnAt: moment.now }, refusal: null } : { refusal }
}

/** Uses an approval for a change. Nothing but the change that it was given for, on the version it was given for, by who asked. */
export function use(entry: Approval, moment: Moment, change: { readonly digest: string; readonly by: string }): Step {
  const state = approvalState(entry, moment)
  const refusal = ended[state]
  if (refusal !== undefined) return { refusal }
  if (entry.changeDigest !== change.digest || entry.requestedBy !== change.by) return { refusal: 'approval-mismatch' }
  if (state === 'pending') return { refusal: 'approval-required' }
  return { approval: { ...entry, usedAt: moment.now }, refusal: null }
}
