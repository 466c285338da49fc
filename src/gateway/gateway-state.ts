/** What is known of a gateway that follows the policy of an environment. */

export const gatewayStates = ['current', 'behind', 'failed', 'silent', 'never-seen'] as const
export type GatewayState = (typeof gatewayStates)[number]

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
export function gatewayState({ lastSeenAt, usesLatest, failedLatest }: Known, now: number): GatewayState {
  if (lastSeenAt === null) return 'never-seen'
  if (Date.parse(lastSeenAt) <= now - silentMs) return 'silent'
  if (failedLatest) return 'failed'
  return usesLatest ? 'current' : 'behind'
}
