/** What the commands about gateways of an environment share. */
import type { Enforcer } from '../../src/api/gateway-enforcers.ts'
import { renderFacts, shortTime } from '../table.ts'

export const enforcerArgument = {
  name: 'gateway',
  required: true,
  summary: 'label or id of the gateway',
  field: 'enforcer_id',
} as const

export const enforcerText = (enforcer: Enforcer): string =>
  renderFacts([
    ['id', enforcer.id],
    ['label', enforcer.label],
    ['engine', enforcer.engine],
    [
      'version',
      [enforcer.version, enforcer.crs === null ? null : `CRS ${enforcer.crs}`]
        .filter((one) => one !== null)
        .join(', ') || null,
    ],
    ['state', enforcer.state],
    ['active release', enforcer.activeReleaseId],
    ['last seen', enforcer.lastSeenAt === null ? 'never' : shortTime(enforcer.lastSeenAt)],
    ['last error', enforcer.lastError],
    ['key', `${enforcer.keyPrefix}…`],
    ['capabilities', enforcer.capabilities.join(', ') || null],
  ])

/** A key as it is shown once. */
export const keyText = (made: {
  readonly enforcer: Enforcer
  readonly key: string
  readonly publicKey: string
}): string =>
  renderFacts([
    ['key', made.key],
    ['public key', made.publicKey],
    ['label', made.enforcer.label],
    ['engine', made.enforcer.engine],
    ['id', made.enforcer.id],
    ['note', 'the key cannot be shown again'],
  ])
