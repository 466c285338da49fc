import { SvcError } from '../../src/errors.ts'
import { requestIdOf } from './request-id.ts'

/** A listening socket. */
export interface Listener {
  /** "http://127.0.0.1:8080" */
  readonly url: string
  readonly port: number
  /** Takes no new connection and resolves when the running requests have been answered. */
  stop(): Promise<void>
}

/** Every answer says its id, also those of the operators' addresses, of files and of the protocol of agents. */
function named(request: Request, answer: Response): Response {
  if (!answer.headers.has('x-request-id')) answer.headers.set('x-request-id', requestIdOf(request))
  return answer
}

/**
 * Listens for HTTP. `port` 0 takes any free one. `addressOf` gives the address of the peer.
 * @throws SvcError `port-unavailable` where another process has the port or this one is not allowed to use it
 */
export function listen(
  hostname: string,
  port: number,
  handle: (request: Request, addressOf: () => string | null) => Promise<Response> | Response,
): Listener {
  try {
    const server = Bun.serve({
      hostname,
      port,
      // Long answers (an import that is waited for) must not be cut; bodies are limited by each operation.
      idleTimeout: 120,
      maxRequestBodySize: 72 * 1024 * 1024,
      // Asking for the address costs as much as a whole small answer: anyone who needs it asks.
      fetch: (request, self) => {
        const answer = handle(request, () => self.requestIP(request)?.address ?? null)
        return answer instanceof Promise ? answer.then((it) => named(request, it)) : named(request, answer)
      },
    })
    const host = hostname.includes(':') ? `[${hostname}]` : hostname
    return { url: `http://${host}:${server.port}`, port: server.port ?? port, stop: () => server.stop(false) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: 'another process listens there',
      EACCES: 'this user has no permission to listen there',
      EADDRNOTAVAIL: 'this machine has no such address',
    }
    throw new SvcError('port-unavailable', {
      address: `${hostname}:${port}`,
      reason: reasons[code ?? ''] ?? String(error),
    })
  }
}
