/** The states of draft bindings and their sync candidates, without any storage. */

export const releaseReasons = ['replaced', 'unbound', 'repository_removed'] as const
export type ReleaseReason = (typeof releaseReasons)[number]
export const candidateStatuses = ['pending', 'applied', 'dismissed', 'superseded'] as const
export type CandidateStatus = (typeof candidateStatuses)[number]

/** What is known of a binding when something happens to it. */
export interface BindingState {
  readonly isActive: boolean
  readonly commit: string
  readonly digest: string
  readonly releaseReason: ReleaseReason | null
}

export interface CandidateState {
  readonly id: string
  readonly status: CandidateStatus
  readonly commit: string
  readonly digest: string
}

/** The binding of a draft with its candidates, the oldest first. */
export interface Bound {
  readonly binding: BindingState
  readonly candidates: readonly CandidateState[]
}

/** Why something is not possible: a code of the catalogue. */
export type BindingRefusal =
  | 'binding-version-published'
  | 'binding-already-bound'
  | 'binding-unchanged'
  | 'binding-candidate-resolved'

const settleAll = (candidates: readonly CandidateState[], status: CandidateStatus, isMeant: (at: number) => boolean) =>
  candidates.map((it, at) => (it.status === 'pending' && isMeant(at) ? { ...it, status } : it))

/** Whether a draft may be bound now. `active`: it is bound already. */
export function refuseBind(entry: {
  readonly isPublished: boolean
  readonly isBound: boolean
  readonly replace: boolean
}): BindingRefusal | null {
  if (entry.isPublished) return 'binding-version-published'
  return entry.isBound && !entry.replace ? 'binding-already-bound' : null
}

/** A new binding at what was read. */
export const bind = (commit: string, digest: string): Bound => ({
  binding: { isActive: true, commit, digest, releaseReason: null },
  candidates: [],
})

/** Ends an active binding; outstanding candidates are superseded. One that was released stays as it is. */
export function release(bound: Bound, reason: ReleaseReason): Bound {
  if (!bound.binding.isActive) return bound
  return {
    binding: { ...bound.binding, isActive: false, releaseReason: reason },
    candidates: settleAll(bound.candidates, 'superseded', () => true),
  }
}

/**
 * What follows from reading the ref again.
 * - it did not move: refused
 * - a candidate of that commit waits: nothing
 * - the selection is as it was and so was that of the last candidate that waits: that one advances
 * - otherwise: a new candidate
 */
export function check(
  bound: Bound,
  read: { readonly commit: string; readonly digest: string },
  newId: string,
): Bound | BindingRefusal {
  const { binding, candidates } = bound
  if (!binding.isActive || read.commit === binding.commit) return 'binding-unchanged'
  if (candidates.some((it) => it.status === 'pending' && it.commit === read.commit)) return bound
  const waits = candidates.findLast(({ status }) => status === 'pending')
  if (waits !== undefined && waits.digest === binding.digest && read.digest === binding.digest)
    return { binding, candidates: candidates.map((it) => (it === waits ? { ...it, commit: read.commit } : it)) }
  return { binding, candidates: [...candidates, { id: newId, status: 'pending', ...read }] }
}

/**
 * Settles a candidate. Applying it advances the binding to what was read at its commit, and supersedes older ones that wait.
 */
export function resolve(
  bound: Bound,
  id: string,
  to: { readonly status: 'dismissed' } | { readonly status: 'applied'; readonly digest: string },
): Bound | BindingRefusal {
  const at = bound.candidates.findIndex((it) => it.id === id)
  const candidate = bound.candidates[at]
  if (candidate === undefined || candidate.status !== 'pending') return 'binding-candidate-resolved'
  const settled = bound.candidates.map((it, n) => (n === at ? { ...it, status: to.status } : it))
  if (to.status === 'dismissed') return { binding: bound.binding, candidates: settled }
  return {
    binding: { ...bound.binding, commit: candidate.commit, digest: to.digest },
    candidates: settleAll(settled, 'superseded', (n) => n < at),
  }
}
