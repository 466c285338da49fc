const addresses = new WeakMap<Request, string>()

/** Notes the address that a request came from; the listener does it, since the request itself does not know. */
export function noteAddress(request: Request, address: string): Request {
  addresses.set(request, address)
  return request
}

/** The address of the peer; null for a call in-process. */
export const addressOf = (request: Request): string | null => addresses.get(request) ?? null
