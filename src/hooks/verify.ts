/** What a delivery of a provider says about itself, and the decisions about it that need neither network nor storage. */
import type { GitProvider } from '../api/linked-accounts.ts'

/** The headers of a delivery that count. */
export interface Delivery {
  /** Its id at the provider; null where it sends none. */
  readonly id: string | null
  readonly event: string
  /** What the provider proves with that it knows the secret; null: nothing. */
  readonly proof: Proof | null
}

export type Proof =
  /** HMAC-SHA-256 of the body, in hexadecimal digits. */
  | { readonly kind: 'hmac'; readonly hex: string }
  /** Standard Webhooks: HMAC-SHA-256 of "id.timestamp.body", in base64; one of several. */
  | { readonly kind: 'standard'; readonly prefix: string; readonly signatures: readonly string[] }
  /** The secret itself. */
  | { readonly kind: 'token'; readonly token: string }

const most = 200
const clean = (value: string | null): string | null => (value === null || value === '' ? null : value.slice(0, most))
/** How far the clock of a sender may be off, in seconds. */
const toleranceSeconds = 300

const hmacOf = (header: string | null): Proof | null => {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1]
  return hex === undefined ? null : { kind: 'hmac', hex: hex.toLowerCase() }
}

function gitlabProof(headers: Headers, now: number): Proof | null {
  const signed = headers.get('webhook-signature')
  const id = headers.get('webhook-id')
  const at = Number(headers.get('webhook-timestamp'))
  if (signed !== null && id !== null) {
    // A delivery that was recorded is not accepted later.
    if (!Number.isFinite(at) || Math.abs(now / 1000 - at) > toleranceSeconds) return null
    const signatures = signed.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
    return { kind: 'standard', prefix: `${id}.${headers.get('webhook-timestamp') ?? ''}.`, signatures }
  }
  const token = headers.get('x-gitlab-token')
  return token === null ? null : { kind: 'token', token }
}

/** Reads the headers of a delivery. */
export function readDelivery(provider: GitProvider, headers: Headers, now: number): Delivery {
  switch (provider) {
    case 'github':
      return {
        id: clean(headers.get('x-github-delivery')),
        event: clean(headers.get('x-github-event')) ?? 'unknown',
        proof: hmacOf(headers.get('x-hub-signature-256')),
      }
    case 'gitlab':
      return {
        id: clean(headers.get('webhook-id') ?? headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid')),
        event: clean(headers.get('x-gitlab-event')) ?? 'unknown',
        proof: gitlabProof(headers, now),
      }
    case 'bitbucket':
      return {
        id: clean(headers.get('x-request-uuid') ?? headers.get('x-request-id')),
        event: clean(headers.get('x-event-key')) ?? 'unknown',
        proof: hmacOf(headers.get('x-hub-signature')),
      }
  }
}

const refEvents: Readonly<Record<GitProvider, ReadonlySet<string>>> = {
  github: new Set(['push', 'create', 'delete', 'repository']),
  gitlab: new Set(['Push Hook', 'Tag Push Hook', 'System Hook', 'Repository Update Hook']),
  bitbucket: new Set(['repo:push', 'repo:refs_changed', 'repo:updated', 'repo:modified']),
}

/** Whether a ref may have moved where a provider sends this; an event without a name may be anything. */
export const movesRefs = (provider: GitProvider, event: string): boolean =>
  event === 'unknown' || refEvents[provider].has(event)

/** The ref in the beginning of a body, for people to read: git itself says what moved. */
export const refIn = (beginning: string): string | null =>
  /"ref"\s*:\s*"(refs\/(?:heads|tags)\/[^"\\]{1,200})"/.exec(beginning)?.[1] ?? null

/** What the address of a sender means. */
export type SourceVerdict = 'allowed' | 'warned' | 'blocked'

/**
 * Whether a delivery from an address is taken.
 * @param isInside whether the address is in one of these networks
 */
export function decideSource(entry: {
  readonly isEnforced: boolean
  readonly isStrict: boolean
  /** The networks that the organization allows. */
  readonly entries: readonly string[]
  /** The networks that the provider sends from; null: it publishes none, or they were not read yet. */
  readonly ranges: readonly string[] | null
  readonly isInside: (networks: readonly string[]) => boolean
}): SourceVerdict {
  if (!entry.isEnforced || entry.isInside(entry.entries)) return 'allowed'
  if (entry.ranges !== null && entry.ranges.length > 0) return entry.isInside(entry.ranges) ? 'allowed' : 'blocked'
  // Entries only add networks: without those of the provider the setting alone decides.
  return entry.isStrict ? 'blocked' : 'warned'
}
