import type { EndpointState, ObservationFailure } from './types.ts'

/** What the state of an endpoint follows from. */
export interface Known {
  /** The wire fingerprint that was approved last; null where none was. */
  readonly approved: string | null
  /** The wire fingerprint of the surface that was observed last; null where none was. */
  readonly observed: string | null
  /** Why the last attempt to observe it failed; null where it succeeded, or there was none. */
  readonly lastFailure: ObservationFailure | null
  /** How many tools, resources and prompts are declared otherwise than they were observed. The name of the server is not among them. */
  readonly conflicts: number
}

/**
 * The state of an endpoint. What waits for a person is first: a surface that is not the approved one stays `drifted` while the server
 * cannot be reached.
 */
export function stateOf({ approved, observed, lastFailure, conflicts }: Known): EndpointState {
  if (approved !== null && observed !== null && approved !== observed) return 'drifted'
  if (lastFailure !== null) return lastFailure
  if (observed === null) return 'never-observed'
  return conflicts > 0 ? 'conflicting' : 'ok'
}

/**
 * Whether a surface may be approved: only the one that was observed last, by the fingerprint that the person saw. `stale` means that
 * another surface was observed since, or none at all; `unchanged` that it is approved already.
 */
export function decideApproval(
  { approved, observed }: Pick<Known, 'approved' | 'observed'>,
  fingerprint: string,
): 'approved' | 'unchanged' | 'stale' {
  if (observed === null || fingerprint !== observed) return 'stale'
  return approved === fingerprint ? 'unchanged' : 'approved'
}
