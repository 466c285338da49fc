import type { Socket } from 'node:net'
import { SvcError } from '../../src/errors.ts'
import { inSpan } from '../../src/kernel/span.ts'
import { closedReason, parseAddress, type Network } from './address.ts'
import type { Answer, Exchange, OpenAnswer } from './connection.ts'
import { failureOf, FetchFailed, type FailureKind } from './refused.ts'

// Sockets, TLS and the resolver are loaded where something is fetched: most commands never do, and start sooner without.
const connections = () => import('./connection.ts')

/** Gives all addresses of a name, as text. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface GuardOptions {
  /** Networks beside the public internet that may be reached (`parseNetworks`). */
  readonly allow: readonly Network[]
  /** For everything together: resolving, connecting, all redirects, the whole body. */
  readonly timeoutMs: number
  /** Largest body, compressed and decompressed. */
  readonly maxBytes: number
  /** Throws where a redirect must not be followed. */
  readonly permits?: ((next: string) => void) | undefined
  /** How many redirects a GET follows; with 0 a redirect is handed back as the answer it is. Other methods follow none. */
  readonly maxRedirects: number
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly signal?: AbortSignal
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve
  /** PEM certificates that replace the system's trusted roots. */
  readonly ca?: string
}

export interface Fetched {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The address that answered in the end, after redirects. */
  readonly finalUrl: string
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Ports of other protocols that the Fetch standard bars, so that a request cannot be smuggled into one of them. */
const barredPorts = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 ' +
    '137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 ' +
    '1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  )
    .split(' ')
    .map(Number),
)

/** Headers that are safe to repeat to another origin after a redirect; credentials stay behind. */
const portableHeaders = new Set(['accept', 'accept-language', 'user-agent'])

/** A URL as it may be shown and logged: without credentials, and with the query, which often carries a signature, cut. */
export function presentUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`
}

const denied = (url: URL, reason: string) => new SvcError('egress-denied', { url: presentUrl(url), reason })
const failed = (url: URL, reason: string, kind: FailureKind) => new FetchFailed(presentUrl(url), reason, kind)
/** The failure of an exchange with a URL. */
export const failedExchange = (url: URL, error: unknown): FetchFailed => {
  const { reason, kind } = failureOf(error)
  return failed(url, reason, kind)
}

/**
 * Parses and evaluates a URL by what can be seen without resolving it.
 * @throws SvcError `egress-denied`
 */
export function checkUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (url === null)
    throw new SvcError('egress-denied', {
      url: text.split(/[?#]/)[0]!.replace(/\/\/[^/]*@/, '//'),
      reason: 'it is not a URL',
    })
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SvcError('egress-denied', { url: `${url.protocol}…`, reason: 'only http and https are fetched' })
  // A parser of addresses takes "https:/a" and "https:\\a" as "https://a": who reads the address would not.
  if (base === undefined && !/^https?:\/\/[^/\\]/i.test(text.trim()))
    throw denied(url, `it must begin with ${url.protocol}// and a host`)
  if (url.username !== '' || url.password !== '')
    throw denied(url, 'it contains credentials, which are not allowed in an address')
  if (barredPorts.has(portOf(url))) throw denied(url, `port ${portOf(url)} belongs to another protocol`)
  return url
}

/** The port that a URL means. */
export const portOf = (url: URL): number => {
  if (url.port === '') return url.protocol === 'https:' ? 443 : 80
  return Number(url.port)
}

/** The host of a URL as a resolver wants it: an IPv6 address without brackets. */
export const nameOf = (url: URL): string => (url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname)

const resolveBySystem: Resolve = async (name) => {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)
}

/**
 * The addresses a URL may be reached at: every address of its name, all of them evaluated. One that is closed closes them
 * all, since which of them answers is not ours to choose.
 * @throws SvcError `egress-denied`, and `fetch-failed` where the name has none
 */
export async function openAddresses(
  url: URL,
  options: { readonly allow: readonly Network[]; readonly resolve?: Resolve | undefined; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const name = nameOf(url)
  const literal = parseAddress(name) !== null
  const addresses = literal
    ? [name]
    : await unlessAborted(url, (options.resolve ?? resolveBySystem)(name), options.signal)
  if (addresses.length === 0) throw failed(url, 'its name has no address', 'dns')
  for (const address of addresses) {
    const reason = closedReason(address, options.allow)
    // The address itself stays unsaid: it would tell a caller how the network behind the service is laid out.
    if (reason !== null)
      throw denied(url, `${literal ? 'it is' : 'its name leads to'} an address that is not public (${reason})`)
  }
  return addresses
}

function unlessAborted(url: URL, lookup: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(failed(url, 'its name was not resolved in time', 'timeout'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    lookup
      .then(resolve, () => reject(failed(url, 'its name cannot be resolved', 'dns')))
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

/** A request to another server in a span of what asked for it: its host, never its path, which may hold a secret. */
const inRequestSpan = <T extends { readonly status: number }>(url: URL, method: string, send: () => Promise<T>) =>
  inSpan(
    {
      name: method,
      kind: 'client',
      isInner: true,
      attributes: {
        'http.request.method': method,
        'url.scheme': url.protocol.slice(0, -1),
        'server.address': url.hostname,
      },
    },
    async (span) => {
      const answer = await send()
      span?.set({ 'http.response.status_code': answer.status })
      return answer
    },
  )

/**
 * The one way to an address that a user supplied. Resolves the name once, requires every address of it to be global
 * unicast or permitted, connects to one of exactly those addresses while the server still sees the original name (Host,
 * SNI, certificate), and does all of it again for every redirect.
 *
 * @param text absolute http or https URL, without credentials
 * @returns the last answer, whatever its status, with the whole body decompressed
 * @throws SvcError `egress-denied` when the address must not be reached; `fetch-failed` when it did not answer properly,
 *   in time and within the limits
 */
export async function guardedFetch(text: string, options: GuardOptions): Promise<Fetched> {
  const { method = 'GET', maxRedirects } = options
  const deadline = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  let url = checkUrl(text)
  let headers: Readonly<Record<string, string>> = lowerCased(options.headers ?? {})
  for (let redirects = 0; ; redirects++) {
    const answer = await inRequestSpan(url, method, () => attempt(url, { ...options, method, headers, signal }))
    const location = answer.headers.get('location')
    const isRedirect = redirectStatuses.has(answer.status) && location !== null
    if (!isRedirect || !(method === 'GET' || method === 'HEAD') || maxRedirects === 0)
      return { status: answer.status, headers: answer.headers, bytes: answer.bytes, finalUrl: url.href }
    if (redirects === maxRedirects) throw failed(url, `it redirects more than ${maxRedirects} times`, 'redirects')
    const next = checkUrl(location, url)
    if (url.protocol === 'https:' && next.protocol === 'http:')
      throw denied(next, 'a redirect leads from https to http')
    options.permits?.(next.href)
    if (next.origin !== url.origin)
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => portableHeaders.has(name)))
    url = next
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

type Attempt = GuardOptions & {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Like `guardedFetch`, but answers as soon as the head of the answer is there, and leaves the body to the caller: for event
 * streams, and for answers of which only the status matters. The byte limit and the deadline hold for the body too.
 * A redirect is handed back as the answer it is.
 *
 * @throws SvcError `egress-denied`, `fetch-failed`; what fails while the body is read fails the stream with `fetch-failed`
 */
export async function guardedOpen(
  text: string,
  options: Omit<GuardOptions, 'maxRedirects'>,
): Promise<OpenAnswer & { readonly finalUrl: string }> {
  const deadline = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const url = checkUrl(text)
  const headers = lowerCased(options.headers ?? {})
  const it = { ...options, maxRedirects: 0, method: options.method ?? 'GET', headers, signal }
  const answer = await inRequestSpan(url, it.method, () =>
    over(url, it, async (socket, exchange) => (await connections()).openExchange(socket, exchange)),
  )
  const reader = answer.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(failedExchange(url, error))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return { status: answer.status, headers: answer.headers, body, finalUrl: url.href }
}

const attempt = (url: URL, options: Attempt): Promise<Answer> =>
  over(url, options, async (socket, exchange) => (await connections()).exchange(socket, exchange))

/** Connects to an address that may be reached, and sends the request over it. */
async function over<T>(
  url: URL,
  options: Attempt,
  send: (socket: Socket, exchange: Exchange) => Promise<T>,
): Promise<T> {
  const addresses = await openAddresses(url, options)
  try {
    const socket = await connectToFirst(url, addresses, options)
    return await send(socket, {
      url,
      method: options.method,
      headers: { 'user-agent': 'svc', ...options.headers },
      body: options.body ?? null,
      maxBytes: options.maxBytes,
      signal: options.signal,
    })
  } catch (error) {
    throw failedExchange(url, error)
  }
}

async function connectToFirst(url: URL, addresses: readonly string[], options: Attempt): Promise<Socket> {
  const { signal, timeoutMs, ca } = options
  const secure = url.protocol === 'https:'
  const to = { name: nameOf(url), port: portOf(url), secure, ca, signal, timeoutMs }
  return (await openFirst(addresses, to)).socket
}

/**
 * Tries addresses in their order; each but the last gets a part of the time, so that one dead address is not an outage.
 * @returns the connection and the address that it leads to
 */
export async function openFirst(
  addresses: readonly string[],
  options: {
    readonly name: string
    readonly port: number
    readonly secure: boolean
    readonly ca?: string | undefined
    readonly signal: AbortSignal
    readonly timeoutMs: number
  },
): Promise<{ readonly socket: Socket; readonly address: string }> {
  const { timeoutMs, ...rest } = options
  const { openSocket } = await connections()
  let last: unknown
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1
    const signal = isLast ? options.signal : AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs / 4)])
    try {
      return { socket: await openSocket({ ...rest, address, signal }), address }
    } catch (error) {
      last = error
      if (options.signal.aborted) break
    }
  }
  throw last
}
