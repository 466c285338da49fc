/** What the commands about webhooks share. */
import type { DeliveryDetail, Subscription } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { renderFacts, renderTable } from '../table.ts'

export const subscriptionArgument = { name: 'id', required: true, summary: 'id of the subscription' } as const
export const deliveryArgument = {
  name: 'id',
  required: true,
  summary: 'id of the delivery: the header webhook-id',
} as const

export const minSeverityOption = {
  type: 'string',
  placeholder: 'SEVERITY',
  choices: ['breaking', 'non-breaking', 'docs-only', 'none'],
  summary: 'send publications only from this severity on; none sends all',
} as const

/** The severity that the option means: null for none; undefined where it was not given. */
export const severityOf = (given: 'breaking' | 'non-breaking' | 'docs-only' | 'none' | undefined) =>
  given === 'none' ? null : given

/**
 * The signing secret from the variable, or from the first line of standard input; never from the command line.
 * @throws SvcError `usage` where there is none
 */
export async function readSigningSecret(
  { io, env }: Invocation<unknown, unknown>,
  fromInput: boolean,
): Promise<string> {
  if (fromInput) return new TextDecoder().decode(await io.stdin()).split(/\r?\n/, 1)[0] ?? ''
  const given = env.SVC_WEBHOOK_SECRET
  if (given !== undefined && given !== '') return given
  throw new SvcError('usage', {
    reason: 'Missing signing secret: pipe it to --secret-stdin, or set SVC_WEBHOOK_SECRET',
  })
}

const stateOf = (it: Subscription): string => {
  if (!it.active) return it.disabledReason === null ? 'off' : `off (${it.disabledReason})`
  return it.pausedUntil === null ? 'active' : `active, paused until ${it.pausedUntil}`
}

const lastOf = ({ lastDelivery: it }: Subscription): string | null =>
  it === null ? null : `${it.eventType} ${it.status} ${it.createdAt} (${it.id})`

/** A subscription as lines. */
export const renderSubscription = (it: Subscription): string =>
  renderFacts([
    ['id', it.id],
    ['url', it.url],
    ['state', stateOf(it)],
    ['severity', it.minSeverity ?? 'all'],
    ['secret', it.signingSecretRef],
    ['off since', it.disabledAt],
    ['failing since', it.failingSince],
    ['last delivery', lastOf(it)],
  ])

/** Subscriptions as a table. */
export const renderSubscriptions = (all: readonly Subscription[]): string =>
  all.length === 0
    ? 'No webhook subscriptions.\n'
    : renderTable(
        ['ID', 'URL', 'STATE', 'SEVERITY'],
        all.map((it) => [it.id, it.url, stateOf(it), it.minSeverity ?? 'all']),
      )

/** A delivery with its attempts. */
export function renderDelivery(it: DeliveryDetail): string {
  const facts = renderFacts([
    ['id', it.id],
    ['event', it.eventType],
    ['status', it.status],
    ['next attempt', it.nextRetryAt],
    ['error', it.lastError],
  ])
  if (it.attempts.length === 0) return facts
  const rows = it.attempts.map((one) => [
    String(one.attempt),
    one.started_at,
    `${one.duration_ms} ms`,
    one.status_code === null ? '' : String(one.status_code),
    one.error_class ?? 'accepted',
  ])
  return `${facts}\n${renderTable(['ATTEMPT', 'STARTED', 'TOOK', 'STATUS', 'RESULT'], rows)}`
}
