/** Sends one message: by e-mail, or to the incoming webhook of a chat. */
import { SvcError } from '../../src/errors.ts'
import { FetchFailed, guardedFetch } from '../egress/door.ts'
import type { Deps } from '../kit/door.ts'
import type { MailOutcome } from '../mail/door.ts'
import type { Batch, SendRow } from './batch.ts'
import { chatBody, type ChatMessage, chatOutcome, type Line } from './chat.ts'
import { linkToken } from './links.ts'
import { mailText } from './mail-text.ts'
import type { TargetRow } from './target-rows.ts'

/** News that one message names at most: the newest. The others are counted. */
const maxOfMessage = { email: 100, chat: 10 } as const

/**
 * What came of an attempt; reasons end a sentence.
 * - `stop`: nothing is sent there any more, until somebody switches it on.
 * - `dropped`: this message will never be taken.
 * - `failed`: it may work later.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'stop' | 'dropped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number }

const lineOf = (deps: Deps, { payload, actorName }: SendRow): Line => ({
  title: payload.title,
  url: payload.url.startsWith('/') ? `${deps.publicUrl()}${payload.url}` : payload.url,
  excerpt: payload.excerpt === undefined || payload.excerpt === '' ? null : payload.excerpt,
  by: actorName,
})

const kinds = { 'refused-address': 'stop', 'refused-message': 'dropped' } as const

const outcomeOfMail = (outcome: MailOutcome): SendOutcome => {
  if (outcome.kind === 'sent') return outcome
  const { reason } = outcome
  return outcome.kind === 'failed' ? { kind: 'failed', reason, retryAfterMs: 0 } : { kind: kinds[outcome.kind], reason }
}

/** The address of the page where a person chooses what is sent. */
const choicesUrl = (deps: Deps, slug: string): string =>
  `${deps.publicUrl()}/app/t/${encodeURIComponent(slug)}/-/notifications/settings`

const linkUrl = (deps: Deps, token: string): string => `${deps.publicUrl()}/v1/e-mail/${token}`

/** The host that names messages: that of the service, which does not change between attempts. */
const messageIdOf = (deps: Deps, id: string): string =>
  `${id}@${URL.parse(deps.publicUrl())?.hostname ?? 'svc.invalid'}`

/** The headers with which a mail program offers to unsubscribe (RFC 2369), with one click (RFC 8058). */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Auto-Submitted': 'auto-generated',
})

/** Why no e-mail can be sent at all, which an operator can change; null where it can. */
const unready = (deps: Deps): SendOutcome | null =>
  deps.publicUrl() === ''
    ? {
        kind: 'failed',
        reason: 'the service does not know its public address; an operator sets SVC_PUBLIC_URL',
        retryAfterMs: 0,
      }
    : null

/** Sends a batch as one e-mail, grouped by project. */
export async function sendMail(deps: Deps, batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
  const { target, person, organization, rows, projectNames } = batch
  if (deps.mail === null || person === null || target.linkKey === null)
    return { kind: 'failed', reason: 'this installation sends no e-mail at present', retryAfterMs: 0 }
  const reason = unready(deps)
  if (reason !== null) return reason
  const shown = rows.slice(0, maxOfMessage.email)
  const byProject = Map.groupBy(shown, ({ projectId }) => projectNames.get(projectId ?? '') ?? organization.name)
  const groups = [...byProject].map(([name, some]) => ({ name, lines: some.map((row) => lineOf(deps, row)) }))
  const stop = linkUrl(deps, linkToken(target.linkKey, 'stop', target.id, ''))
  const app = `${deps.publicUrl()}/app/t/${encodeURIComponent(organization.slug)}/-/notifications`
  const text = mailText(groups, rows.length - shown.length, organization.name, {
    all: app,
    choose: choicesUrl(deps, organization.slug),
    stop,
  })
  const to = { name: person.name, address: person.email }
  const message = { to, ...text, messageId: messageIdOf(deps, batch.id), headers: unsubscribeHeaders(stop) }
  return outcomeOfMail(await deps.mail.send(message, signal))
}

/** Sends an e-mail that says that sending works, or the link with which a person confirms their address. */
export async function sendTestMail(
  deps: Deps,
  {
    target,
    person,
    organization,
    id,
    confirms,
  }: Pick<Batch, 'target' | 'organization' | 'id'> & {
    readonly person: { readonly name: string; readonly email: string }
    /** Whether it asks to confirm the address. */
    readonly confirms: boolean
  },
  signal: AbortSignal,
): Promise<SendOutcome> {
  if (deps.mail === null || target.linkKey === null) throw new SvcError('mail-unavailable')
  const reason = unready(deps)
  if (reason !== null) return reason
  const stop = linkUrl(deps, linkToken(target.linkKey, 'stop', target.id, ''))
  const choose = choicesUrl(deps, organization.slug)
  const url = confirms ? linkUrl(deps, linkToken(target.linkKey, 'confirm', target.id, person.email)) : choose
  const title = confirms ? `Confirm your address for news of ${organization.name}` : `E-mail from svc works`
  const excerpt = confirms
    ? 'News are sent here once you opened the link. If you did not ask for this, do nothing.'
    : 'This is the test message that you asked for.'
  const lines = [{ title, url, excerpt, by: null }]
  const text = mailText([{ name: organization.name, lines }], 0, organization.name, { all: choose, choose, stop })
  const to = { name: person.name, address: person.email }
  const message = { to, ...text, messageId: messageIdOf(deps, id), headers: unsubscribeHeaders(stop) }
  return outcomeOfMail(await deps.mail.send(message, signal))
}

const chatDeadlineMs = 15_000
const maxAnswerBytes = 16 * 1024

/** Posts a message to the incoming webhook of a chat, through the egress guard. */
export async function postToChat(
  deps: Deps,
  target: TargetRow,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { tenantId, secretId, service } = target
  const failed = (reason: string): SendOutcome => ({ kind: 'failed', reason, retryAfterMs: 0 })
  try {
    const ids = secretId === null ? [] : [secretId]
    const url = (await deps.vault.open(deps.db.read, tenantId, 'chat-webhook', ids)).get(secretId ?? '')
    if (url === undefined || service === null) return { kind: 'stop', reason: 'its address is gone' }
    const answer = await guardedFetch(url, {
      allow: deps.egressAllow,
      timeoutMs: chatDeadlineMs,
      maxBytes: maxAnswerBytes,
      maxRedirects: 0,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(chatBody(service, message))),
      signal,
    })
    const text = new TextDecoder().decode(answer.bytes)
    return chatOutcome(answer.status, answer.headers.get('retry-after'), text)
  } catch (error) {
    // The text of the refusal would repeat the address, which is a secret.
    if (error instanceof FetchFailed) return failed(String((error.detail as { readonly reason?: unknown }).reason))
    if (error instanceof SvcError && error.code === 'egress-denied')
      return failed('the service may not reach its address')
    if (error instanceof SvcError)
      return failed('its address cannot be read, as the key of the stored secrets is missing')
    throw error
  }
}

/** Sends a batch as one message of a chat. */
export async function sendChat(deps: Deps, batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
  const shown = batch.rows.slice(0, maxOfMessage.chat).toReversed()
  const message = { lines: shown.map((row) => lineOf(deps, row)), more: batch.rows.length - shown.length }
  return postToChat(deps, batch.target, message, signal)
}
