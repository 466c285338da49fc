/** What the commands about gateways of an environment share. */
import type { Enforcer } from '../../src/api/gateway-enforcers.ts'
import { renderFacts, shortTime } from '../table.ts'

export const enforcerArgument = { name: 'gateway', required: true, summary: 'label or id of the gateway' } as const

export const enforcerText = (it: Enforcer): string =>
  renderFacts([
    ['id', it.id],
    ['label', it.label],
    ['engine', it.engine],
    [
      'version',
      [it.version, it.crs === null ? null : `CRS ${it.crs}`].filter((one) => one !== null).join(', ') || null,
    ],
    ['state', it.state],
    ['active release', it.activeReleaseId],
    ['last seen', it.lastSeenAt === null ? 'never' : shortTime(it.lastSeenAt)],
    ['last error', it.lastError],
    ['key', `${it.keyPrefix}…`],
    ['capabilities', it.capabilities.join(', ') || null],
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
