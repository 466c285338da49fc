import { isInside, type Network, parseAddress } from '../egress/door.ts'

const addresses = new WeakMap<Request, string>()

/** Keeps the address that a request came from, which the request itself does not know. */
export function noteAddress(request: Request, address: string): Request {
  addresses.set(request, address)
  return request
}

/** Keeps the address of the caller: that of the peer, or what trusted proxies forward for it. */
export const noteCaller = (request: Request, peer: string, trusted: readonly Network[]): Request =>
  noteAddress(request, callerAddress(peer, request.headers.get('x-forwarded-for'), trusted))

/** The address of the caller; null for a call in-process. */
export const addressOf = (request: Request): string | null => addresses.get(request) ?? null

/**
 * The address of the caller behind proxies: only a trusted proxy is trusted about the hop before it, from
 * the last hop backwards, so that callers cannot choose the address that the sign-in budget counts.
 * @param forwardedFor the X-Forwarded-For header
 */
export function callerAddress(peer: string, forwardedFor: string | null, trusted: readonly Network[]): string {
  let address = peer
  for (const hop of (forwardedFor ?? '').split(',').reverse()) {
    const text = hop.trim()
    if (!isInside(address, trusted) || parseAddress(text) === null) return address
    address = text
  }
  return address
}

/**
 * The network that limits count by: an IPv4 address as it is, since those around it belong to others, and the first 64
 * bits of an IPv6 address, since the rest is for its holder to choose (RFC 6177, RFC 7934).
 */
export function networkOf(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === null || parsed.kind() === 'ipv4') return parsed?.toString() ?? address
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
