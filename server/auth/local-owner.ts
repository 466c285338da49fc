const owners = new WeakMap<Request, string>()

/**
 * Marks a request as made in-process by the owner of the local workspace, and gives it back. Identity is bound to the
 * object: nothing that arrives over a socket can carry it.
 */
export function asLocalOwner(request: Request, userId: string): Request {
  owners.set(request, userId)
  return request
}

/** The user an in-process request was marked with. */
export const localOwnerOf = (request: Request): string | null => owners.get(request) ?? null
