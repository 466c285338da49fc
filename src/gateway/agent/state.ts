/**
 * What an agent does next with releases: pure, so that every order of failures and crashes can be tried. The state is written to disk
 * before each step that changes what the engine reads; after a crash `resume` continues from it.
 */

/** A release: its id at the service and the digest of its files, which is also its folder. */
export interface Ref {
  readonly releaseId: string
  readonly digest: string
}
/**
 * - `swap`: the link is to name the candidate, and the engine is to read it.
 * - `watch`: the engine read it; nothing was wrong so far.
 * - `return`: it is not used; the link is to name the active release again, and the engine is to read that.
 */
export type Phase = 'idle' | 'swap' | 'watch' | 'return'

export interface Failed extends Ref {
  readonly error: string
  /** The site answered before the release was used, and not under it: using it again would stop the site again. */
  readonly breaks: boolean
}
export interface ReleaseState {
  readonly phase: Phase
  /** The last release that the engine used without a problem; null: the empty one. */
  readonly active: Ref | null
  readonly candidate: Ref | null
  readonly failed: Failed | null
}
export const initialState: ReleaseState = { phase: 'idle', active: null, candidate: null, failed: null }

/** What is to be done. After `link` and `reload` comes an outcome. */
export type Step =
  | { readonly kind: 'wait' }
  /** Write and verify the files, then ask the engine whether it can read them. */
  | { readonly kind: 'prepare'; readonly ref: Ref }
  /** Point the link at the release and have the engine read it. */
  | { readonly kind: 'use'; readonly ref: Ref | null }
  | { readonly kind: 'watch'; readonly ref: Ref }

/** What came of a step, or what the service offers. */
export type Outcome =
  | { readonly kind: 'offered'; readonly ref: Ref }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'used' }
  | { readonly kind: 'watched' }
  | { readonly kind: 'failed'; readonly error: string; readonly breaks?: boolean }

const isSame = (a: Ref | null, b: Ref): boolean => a !== null && a.digest === b.digest

/** The step that a state asks for. */
export function stepOf({ phase, active, candidate }: ReleaseState): Step {
  if (phase === 'return') return { kind: 'use', ref: active }
  if (candidate === null) return { kind: 'wait' }
  if (phase === 'idle') return { kind: 'prepare', ref: candidate }
  return phase === 'swap' ? { kind: 'use', ref: candidate } : { kind: 'watch', ref: candidate }
}

function offered(state: ReleaseState, ref: Ref): ReleaseState {
  if (state.phase !== 'idle') return state
  // The same files under another id: nothing changes for the engine.
  if (isSame(state.active, ref)) return { phase: 'idle', active: ref, candidate: null, failed: null }
  // One that failed is tried again: what stopped it may be corrected on the machine, as a site that did not answer yet.
  return isSame(state.failed, ref) && state.failed?.breaks ? state : { ...state, candidate: ref }
}

function failed(state: ReleaseState, error: string, breaks: boolean): ReleaseState {
  const { phase, active, candidate } = state
  // Going back is tried until it is done: the link already names the last good release.
  if (phase === 'return' || candidate === null) return state
  const known = { ...candidate, error, breaks }
  return phase === 'idle'
    ? { phase: 'idle', active, candidate: null, failed: known }
    : { phase: 'return', active, candidate: null, failed: known }
}

/** The state after an outcome; one that does not belong to the state changes nothing. */
export function afterOutcome(state: ReleaseState, outcome: Outcome): ReleaseState {
  const { phase, candidate } = state
  if (outcome.kind === 'offered') return offered(state, outcome.ref)
  if (outcome.kind === 'failed') return failed(state, outcome.error, outcome.breaks === true)
  if (outcome.kind === 'prepared' && phase === 'idle' && candidate !== null) return { ...state, phase: 'swap' }
  if (outcome.kind === 'used' && phase === 'swap') return { ...state, phase: 'watch' }
  if (outcome.kind === 'used' && phase === 'return') return { ...state, phase: 'idle', candidate: null }
  if (outcome.kind === 'watched' && phase === 'watch' && candidate !== null)
    return { phase: 'idle', active: candidate, candidate: null, failed: null }
  return state
}

/**
 * The state with which an agent starts.
 * @param isWhole whether a release is in its folder, complete
 * @returns what was interrupted is done again from a step that may be repeated: reading a release twice does no harm
 */
export function resume(state: ReleaseState, isWhole: (ref: Ref) => boolean): ReleaseState {
  const active = state.active !== null && isWhole(state.active) ? state.active : null
  const lost = state.active !== null && active === null
  const { phase, candidate } = state
  if (candidate !== null && (phase === 'swap' || phase === 'watch') && isWhole(candidate))
    return { ...state, active, phase: 'swap' }
  // Not prepared yet: the service offers it again.
  if (phase === 'idle') return { ...state, active, candidate: null, ...(lost ? { phase: 'return' as const } : {}) }
  return { ...state, active, candidate: null, phase: 'return' }
}

/** What the service is to know. */
export interface Report {
  readonly releaseId: string | null
  readonly state: 'active' | 'failed' | 'starting'
  readonly error: string | null
}

/** The release that failed, else the active one. While a release is tried, what was known before stays reported: null. */
export function reportOf({ phase, active, failed: problem, candidate }: ReleaseState): Report | null {
  if (candidate !== null) return null
  if (problem !== null) return { releaseId: problem.releaseId, state: 'failed', error: problem.error }
  if (phase !== 'idle') return null
  if (active !== null) return { releaseId: active.releaseId, state: 'active', error: null }
  return { releaseId: null, state: 'starting', error: null }
}

/** The time before attempt `n` (1 is the first after a failure): doubled each time up to `mostMs`, and a random part of it. */
export const backoffMs = (n: number, random: number, mostMs = 60_000, firstMs = 1000): number =>
  Math.round(Math.min(mostMs, firstMs * 2 ** Math.min(n - 1, 20)) * (0.5 + random / 2))
