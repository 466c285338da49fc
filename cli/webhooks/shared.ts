/** What the commands about webhooks share. */
import { webhookEventTypes } from '../../src/api/webhook-events.ts'
import type { DeliveryDetail, Subscription } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { renderFacts, renderTable } from '../table.ts'

export const subscriptionArgument = { name: 'id', required: true, summary: 'id of the subscription' } as const

export const minSeverityOption = {
  type: 'string',
  placeholder: 'SEVERITY',
  choices: ['breaking', 'non-breaking', 'docs-only', 'none'],
  summary: 'send publications only from this severity on; none sends all',
} as const

/** What a subscription is called and limited to. */
export const choiceOptions = {
  name: { type: 'string', placeholder: 'TEXT', summary: 'what people call it' },
  type: {
    type: 'string',
    multiple: true,
    placeholder: 'TYPE',
    choices: webhookEventTypes,
    summary: 'only events of this type (repeatable)',
    field: 'eventTypes',
  },
  project: {
    type: 'string',
    multiple: true,
    placeholder: 'PROJECT',
    summary: 'only events of this project, by id or slug (repeatable)',
    field: 'projects',
  },
  'keep-answers': {
    type: 'boolean',
    summary: 'keep the first 2,000 bytes of what the receiver answers',
    field: 'keepAnswers',
  },
} as const

/** The severity that the option means: null for none. */
export const severityOf = <S extends string>(given: S): Exclude<S, 'none'> | null =>
  given === 'none' ? null : (given as Exclude<S, 'none'>)

/**
 * The signing secret from the variable, or from the first line of standard input; never from the command line.
 * @throws SvcError `usage` where there is none
 */
export async function readSigningSecret({ io, env, options }: Invocation): Promise<string> {
  if (options['secret-stdin'] === true) return new TextDecoder().decode(await io.stdin()).split(/\r?\n/, 1)[0] ?? ''
  const given = env.SVC_WEBHOOK_SECRET
  if (given !== undefined && given !== '') return given
  throw new SvcError('usage', {
    reason: 'Missing signing secret: pipe it to --secret-stdin, or set SVC_WEBHOOK_SECRET',
  })
}

/** Whether a subscription is on, and why it is off. */
export const stateOf = (it: Subscription): string => {
  if (!it.active) return it.disabledReason === null ? 'off' : `off (${it.disabledReason})`
  return it.pausedUntil === null ? 'active' : `active, paused until ${it.pausedUntil}`
}

const lastOf = ({ lastDelivery: it }: Subscription): string | null =>
  it === null ? null : `${it.eventType} ${it.status} ${it.createdAt} (${it.id})`

/** A subscription as lines. */
export const renderSubscription = (subscription: Subscription): string =>
  renderFacts([
    ['id', subscription.id],
    ['url', subscription.url],
    ['state', stateOf(subscription)],
    ['name', subscription.name],
    ['events', subscription.eventTypes === null ? 'all' : subscription.eventTypes.join(', ')],
    ['severity', subscription.minSeverity ?? 'all'],
    ['projects', subscription.projects === null ? 'all' : subscription.projects.map(({ slug }) => slug).join(', ')],
    ['answers', subscription.keepAnswers ? 'kept' : 'not kept'],
    ['secret', subscription.signingSecretRef],
    ['off since', subscription.disabledAt],
    ['failing since', subscription.failingSince],
    ['last delivery', lastOf(subscription)],
  ])

/** A delivery with its attempts. */
export function renderDelivery(detail: DeliveryDetail): string {
  const facts = renderFacts([
    ['id', detail.id],
    ['event', detail.eventType],
    ['status', detail.status],
    ['next attempt', detail.nextRetryAt],
    ['error', detail.lastError],
  ])
  if (detail.attempts.length === 0) return facts
  const rows = detail.attempts.map((one) => [
    String(one.attempt),
    one.started_at,
    `${one.duration_ms} ms`,
    one.status_code === null ? '' : String(one.status_code),
    one.error_class ?? 'accepted',
  ])
  const answers = detail.attempts.flatMap(({ attempt, answer }) =>
    answer === null || answer === '' ? [] : [`\nanswer to attempt ${attempt}:\n${answer}\n`],
  )
  return `${facts}\n${renderTable(['ATTEMPT', 'STARTED', 'TOOK', 'STATUS', 'RESULT'], rows)}${answers.join('')}`
}
