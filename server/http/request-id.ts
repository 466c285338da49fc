const requestIds = new WeakMap<Request, string>()

/** An id that a caller sent, where it is a harmless one; otherwise a new one. */
export const requestIdFrom = (given: string | null): string =>
  given !== null && /^[\w.-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()

/** The id of a request, the same whenever it is asked: the caller's own where it sent a harmless one, otherwise a new one. */
export function requestIdOf(request: Request): string {
  let id = requestIds.get(request)
  if (!id) {
    id = requestIdFrom(request.headers.get('x-request-id'))
    requestIds.set(request, id)
  }
  return id
}
