/** Gateways that follow the policy of an environment: their kinds, and what is known of each. */

export const enforcerKinds = ['coraza-caddy', 'coraza-spoa', 'coraza-wasm', 'modsecurity', 'export'] as const
export type EnforcerKind = (typeof enforcerKinds)[number]

export const enforcerStates = ['current', 'behind', 'failed', 'silent', 'never-seen'] as const
export type EnforcerState = (typeof enforcerStates)[number]

/** After this time without a request a gateway is silent. */
export const silentMs = 120_000

/** What a gateway reported, and when. */
export interface Reported {
  readonly lastSeenAt: string | null
  readonly activeReleaseId: string | null
  readonly failedReleaseId: string | null
}

/**
 * What a gateway is.
 * @param latest the release that it is to use; null: there is none yet
 * @param now milliseconds since the epoch
 */
export function enforcerState(
  { lastSeenAt, ...reported }: Reported,
  latest: string | null,
  now: number,
): EnforcerState {
  if (lastSeenAt === null) return 'never-seen'
  if (Date.parse(lastSeenAt) <= now - silentMs) return 'silent'
  if (latest !== null && reported.failedReleaseId === latest) return 'failed'
  return latest !== null && reported.activeReleaseId === latest ? 'current' : 'behind'
}
