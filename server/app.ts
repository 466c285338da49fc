import { endpoints } from '../src/api/contracts.gen.ts'
import { noteCaller } from './auth/address.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'
import type { Network } from './egress/address.ts'
import { mount, type Answered } from './http/mount.ts'
import type { Note, Observe } from './http/observe.ts'

/** What a service that answers requests runs on. */
export interface ServiceOptions extends CoreOptions {
  readonly observe?: Observe
  /** Called with what is answered from memory, outside of `observe`. */
  readonly note?: Note
  /** Every request has a span: none is answered from memory. */
  readonly isTraced?: boolean
  /** Proxies whose X-Forwarded-For is trusted; none when omitted. */
  readonly trustedProxies?: readonly Network[]
  /** Whether /play is served; it is when omitted. */
  readonly playground?: boolean
  /** What is answered; all of it when omitted. */
  readonly answers?: Answered
}

/** A running service without a socket. */
export interface Service extends Core {
  /**
   * Answers a request: a public document that was sent a moment ago from memory, everything else by the routes.
   * @param peerOf gives the address of the peer, which only some requests need; omitted for a call in this process
   */
  readonly handle: (request: Request, peerOf?: () => string | null) => Promise<Response> | Response
}

/**
 * Wires every feature over a database, and the routes over HTTP. Calls within the process (`callAs`, `callWith`) are not
 * observed: they are parts of something that is observed as a whole, a request of an agent or a command.
 */
export function createService(options: ServiceOptions): Service {
  const core = createCore(options)
  const answersPart = options.answers !== undefined && options.answers !== 'all'
  const app = mount(endpoints, core.operations, options.observe, options)
  return {
    ...core,
    handle: (request, peerOf) => {
      const known = options.isTraced === true || answersPart ? null : core.recent.recall(request, options.note ?? null)
      if (known !== null) return known
      const peer = peerOf?.() ?? null
      if (peer !== null) noteCaller(request, peer, options.trustedProxies ?? [])
      return app.handle(request)
    },
  }
}
