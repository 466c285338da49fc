import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../db/clock.ts'
import { SvcError } from '../../src/errors.ts'
import { FetchFailed, type Head, type KeptConnections } from '../egress/door.ts'
import type { SigningSecret } from './secret.ts'
import type { Outcome } from './state.ts'

/** One attempt as it is recorded. */
export interface Attempt {
  readonly startedAt: number
  readonly durationMs: number
  readonly statusCode: number | null
  readonly outcome: Outcome
  /** The beginning of the body that was answered; null where it is not kept. */
  readonly answer: string | null
}

export interface Message {
  /** The `webhook-id`. */
  readonly id: string
  readonly url: string
  readonly body: string
  /** All of them sign: the present one first. */
  readonly secrets: readonly SigningSecret[]
  /** Whether the beginning of the answer is kept; not when omitted. */
  readonly keepsAnswer?: boolean
}

/** What is kept of an answer at most. */
const mostAnswerBytes = 2000

// Control characters but tab and line ends: databases and terminals take them badly.
// oxlint-disable-next-line no-control-regex -- control characters are what it replaces
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** The text of an answer: what is no UTF-8 and what cannot be printed is replaced. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll(unprintable, '\ufffd')

/** How long a receiver may take. */
export const attemptTimeoutMs = 15_000

/**
 * The headers of Standard Webhooks 1.0.0.
 * @param at when it is sent, in milliseconds since the epoch: receivers refuse what is older than five minutes
 */
export function signedHeaders({ id, body, secrets }: Omit<Message, 'url'>, at: number): Record<string, string> {
  const signatures = secrets.map(({ key }) => new Webhook(key, { format: 'raw' }).sign(id, new Date(at), body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

// A whole number of seconds, or a date (RFC 9110, section 10.2.3).
function retryAfterOf(headers: Head['headers'], now: number): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

const directives = new Set(['disable', 'abort-message'])

function outcomeOf({ status, headers }: Pick<Head, 'status' | 'headers'>, now: number): Outcome {
  const isAccepted = status >= 200 && status < 300
  const directive = [headers['webhook-delivery']].flat()[0]?.trim().toLowerCase() ?? ''
  const asked = directives.has(directive) ? (directive as 'disable' | 'abort-message') : null
  return {
    isAccepted,
    errorClass: isAccepted ? null : refusalClass(status),
    retryAfterMs: status === 429 || status === 503 ? retryAfterOf(headers, now) : null,
    request: asked ?? (status === 410 ? 'gone' : null),
  }
}

/** The class of an answer that does not accept a delivery. */
const refusalClass = (status: number): string => (status >= 300 && status < 400 ? 'redirect' : `http-${status}`)

function classOf(error: unknown): string {
  if (error instanceof FetchFailed) return error.kind
  if (error instanceof SvcError && error.code === 'egress-denied') return 'egress-denied'
  throw error
}

/**
 * Makes one attempt, through the egress guard. The head of the answer says all that counts; its body is not read unless it is kept.
 * @throws what is a bug; whatever the receiver does is an outcome
 */
export async function attempt(
  message: Message,
  entry: {
    readonly connections: KeptConnections
    readonly clock: Clock
    readonly signal: AbortSignal
    /** How long the receiver may take: 15 seconds when omitted. */
    readonly timeoutMs?: number
  },
): Promise<Attempt> {
  const startedAt = entry.clock.now()
  const begin = performance.now()
  const keepBytes = message.keepsAnswer === true ? mostAnswerBytes : 0
  const done = (statusCode: number | null, outcome: Outcome, answer: string | null): Attempt => ({
    startedAt,
    durationMs: Math.round(performance.now() - begin),
    statusCode,
    outcome,
    answer,
  })
  try {
    const head = await entry.connections.post(message.url, {
      timeoutMs: entry.timeoutMs ?? attemptTimeoutMs,
      headers: { 'content-type': 'application/json', ...signedHeaders(message, startedAt) },
      body: message.body,
      signal: entry.signal,
      keepBytes,
    })
    return done(head.status, outcomeOf(head, entry.clock.now()), keepBytes === 0 ? null : textOf(head.beginning))
  } catch (error) {
    return done(null, { isAccepted: false, errorClass: classOf(error), retryAfterMs: null, request: null }, null)
  }
}
