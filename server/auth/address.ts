import { isInside, type Network, parseAddress } from '../egress/address.ts'

const addresses = new WeakMap<Request, string>()

/** Notes the address that a request came from; the listener does it, since the request itself does not know. */
export function noteAddress(request: Request, address: string): Request {
  addresses.set(request, address)
  return request
}

/** The address of the peer; null for a call in-process. */
export const addressOf = (request: Request): string | null => addresses.get(request) ?? null

/**
 * The address of the caller behind proxies: only what a trusted proxy says of the hop before it is believed, from the
 * last hop backwards, so that callers cannot choose the address that the sign-in budget counts.
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
