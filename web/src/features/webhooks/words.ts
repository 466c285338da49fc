/** What the states, reasons and filters of webhooks are called, and what a person can do about them. */
import type { Delivery, DeliveryStatus, Subscription } from '../../../../src/api/webhooks.ts'
import type { Tone } from '../../parts/badge.tsx'
import type { Option } from '../../parts/form.tsx'

export const statusNames: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'pending',
  delivering: 'delivering',
  retrying: 'retrying',
  delivered: 'delivered',
  dead_letter: 'dead letter',
  cancelled: 'cancelled',
}

export const statusTones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'info',
  delivering: 'info',
  retrying: 'warn',
  delivered: 'ok',
  dead_letter: 'danger',
  cancelled: 'plain',
}

/** Statuses in which nothing more happens by itself. */
export const hasEnded = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'delivered' || status === 'dead_letter' || status === 'cancelled'

const offNames: Readonly<Record<NonNullable<Subscription['disabledReason']>, string>> = {
  gone: 'off: receiver is gone',
  receiver: 'off: receiver asked for it',
  failing: 'off: failed for 5 days',
}

/** The state of a subscription in a few words. */
export const stateOf = (subscription: Subscription): { readonly name: string; readonly tone: Tone } => {
  if (!subscription.active)
    return subscription.disabledReason === null
      ? { name: 'off', tone: 'plain' }
      : { name: offNames[subscription.disabledReason], tone: 'danger' }
  if (isPaused(subscription)) return { name: 'paused', tone: 'warn' }
  return subscription.failingSince === null ? { name: 'active', tone: 'ok' } : { name: 'failing', tone: 'warn' }
}

/** Whether attempts wait because too many failed in a row. */
export const isPaused = ({ active, pausedUntil }: Subscription): boolean =>
  active && pausedUntil !== null && Date.parse(pausedUntil) > Date.now()

export type Severity = 'all' | 'docs-only' | 'non-breaking' | 'breaking'

/** The choices of minSeverity; "all" is null in the API. */
export const severities: readonly Option<Severity>[] = [
  {
    value: 'all',
    name: 'All publications',
    detail: 'Including first publications, which have no version to compare with.',
  },
  { value: 'docs-only', name: 'With any change', detail: 'Not for first releases.' },
  { value: 'non-breaking', name: 'With non-breaking or breaking changes', detail: 'Not for changes of texts alone.' },
  {
    value: 'breaking',
    name: 'With breaking changes',
    detail: 'Changes whose effect cannot be decided count as breaking.',
  },
]

export const severityOf = (it: Pick<Subscription, 'minSeverity'>): Severity => it.minSeverity ?? 'all'

export const severityName = (it: Pick<Subscription, 'minSeverity'>): string =>
  severities.find(({ value }) => value === severityOf(it))?.name ?? String(it.minSeverity)

interface Reason {
  readonly name: string
  /** What to do about it. */
  readonly advice: string
}

const reasons: Readonly<Record<string, Reason>> = {
  timeout: {
    name: 'No answer within 15 seconds',
    advice: 'Answer with 2xx as soon as the event is stored, and process it afterwards.',
  },
  tls: {
    name: 'The certificate is not trusted',
    advice: 'Check that it is valid for this host and sent with its intermediate certificates.',
  },
  dns: { name: 'The host name cannot be resolved', advice: 'Check the host in the URL.' },
  'connection-refused': {
    name: 'Nothing listens at this address',
    advice: 'Check that the receiver runs, and the port in the URL.',
  },
  connection: { name: 'The connection broke', advice: 'Check the receiver and the proxies in front of it.' },
  protocol: { name: 'The answer is not valid HTTP', advice: 'Check what answers at this URL.' },
  'egress-denied': {
    name: 'The service must not connect to this address',
    advice: 'Receivers need a public address. The operator of the service can allow private networks.',
  },
  redirect: {
    name: 'The receiver redirects',
    advice: 'Redirects are not followed. Use the final URL in the subscription.',
  },
  'abort-message': {
    name: 'The receiver asked to end this delivery',
    advice: 'It answered with the header "webhook-delivery: abort-message".',
  },
  'subscription-inactive': {
    name: 'The subscription was off',
    advice: 'Switch it on, then send the missed events.',
  },
}

const ofStatus = (code: number): Reason => {
  const name = `The receiver answered ${code}`
  if (code === 401 || code === 403)
    return { name, advice: 'Check that the receiver uses the current signing secret and needs no other credentials.' }
  if (code === 404 || code === 405) return { name, advice: 'Check the path in the URL, and that it accepts POST.' }
  if (code === 410) return { name, advice: 'The receiver answered 410 Gone.' }
  if (code === 429) return { name, advice: 'It limits requests. The next attempt waits as long as it asked for.' }
  return { name, advice: code >= 500 ? 'See the log of the receiver.' : 'The receiver did not accept the event.' }
}

/** What an error of an attempt or a delivery means. */
export const reasonOf = (error: string): Reason => {
  const [, status] = /^http-(\d{3})$/.exec(error) ?? []
  return status === undefined
    ? (reasons[error] ?? { name: error, advice: 'See the log of the receiver.' })
    : ofStatus(Number(status))
}

const longestUrl = 90

/** A URL where there is little room: its beginning and its end. */
export const shortUrl = (url: string): string =>
  url.length <= longestUrl ? url : `${url.slice(0, longestUrl - 20)} … ${url.slice(-17)}`

/** What a subscription is called: its name, else its URL. */
export const nameOf = ({ name, url }: Pick<Subscription, 'name' | 'url'>): string => name ?? shortUrl(url)

const listed = 2

/** Which events a subscription receives, in a few words. */
export const eventsName = (subscription: Pick<Subscription, 'minSeverity' | 'eventTypes' | 'projects'>): string => {
  const { eventTypes: types, projects, minSeverity } = subscription
  const more = types === null || types.length <= listed ? '' : ` and ${types.length - listed} more types`
  const what = types === null ? 'All events' : types.slice(0, listed).join(', ') + more
  const publications = minSeverity === null ? '' : `; publications ${severityName(subscription).toLowerCase()}`
  const slugs = (projects ?? []).map(({ slug }) => slug)
  const of =
    projects === null
      ? ''
      : ` of ${slugs.length === 0 ? 'projects that were deleted' : slugs.slice(0, listed).join(', ')}`
  return what + of + (slugs.length > listed ? ` and ${slugs.length - listed} more projects` : '') + publications
}

const named = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What an event is about: the project and version, or the consumer. Empty where its body does not say. */
export const subjectOf = ({ payload }: Pick<Delivery, 'payload'>): string => {
  const data = (payload['data'] ?? {}) as Readonly<Record<string, unknown>>
  return [data['project_slug'], data['version_label'], data['consumer_handle']].map(named).filter(Boolean).join(' ')
}
