/** Gateways that follow the policy of an environment: their kinds, and what is known of each. */

export const enforcerKinds = ['coraza-caddy', 'coraza-spoa', 'coraza-wasm', 'modsecurity', 'export'] as const
export type EnforcerKind = (typeof enforcerKinds)[number]

export const enforcerStates = ['current', 'behind', 'failed', 'silent', 'never-seen'] as const
export type EnforcerState = (typeof enforcerStates)[number]

/** After this time without a request a gateway is silent. */
export const silentMs = 120_000

/** What is known of a gateway. */
export interface Known {
  readonly lastSeenAt: string | null
  /** Whether it reported the newest release, or one with the same files, as active. */
  readonly usesLatest: boolean
  /** Whether it reported that it cannot use the newest release. */
  readonly failedLatest: boolean
}

/**
 * What a gateway is.
 * @param now milliseconds since the epoch
 */
export function enforcerState({ lastSeenAt, usesLatest, failedLatest }: Known, now: number): EnforcerState {
  if (lastSeenAt === null) return 'never-seen'
  if (Date.parse(lastSeenAt) <= now - silentMs) return 'silent'
  if (failedLatest) return 'failed'
  return usesLatest ? 'current' : 'behind'
}
