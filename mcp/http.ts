import { createMcpHandler } from '@modelcontextprotocol/server'
import { cursorSeal } from './cursor-seal.ts'
import { createMcpServer, type McpOptions, mostMessageBytes, type ToolNames } from './server.ts'

export interface McpHttpOptions extends McpOptions {
  /** Host names beside those of loopback under which the service is reached: a page elsewhere must not reach it by rebinding. */
  readonly hosts: readonly string[]
  /** Origins of web applications that may call from a browser; those of `hosts` and loopback may. */
  readonly origins: readonly string[]
}

export interface McpHttp {
  /** Answers a request to the endpoint, Streamable HTTP without sessions. */
  readonly handle: (request: Request) => Promise<Response>
  /** Ends what is open. */
  readonly close: () => Promise<void>
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

const refusal = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })

/** The key of a request: X-API-Key, else the bearer of Authorization. */
const keyOf = (request: Request): string | null =>
  request.headers.get('x-api-key')?.trim() ||
  /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ||
  null

/** Why a request must not be answered, by the names it comes under; null when it may. */
function foreignName(request: Request, hosts: ReadonlySet<string>, origins: ReadonlySet<string>): string | null {
  const host = URL.parse(`http://${request.headers.get('host') ?? ''}`)?.hostname ?? ''
  if (!hosts.has(host)) return 'The Host header names another server.'
  const origin = request.headers.get('origin')
  if (origin === null || origins.has(origin)) return null
  const from = URL.parse(origin)?.hostname ?? ''
  return hosts.has(from) ? null : 'The Origin header names a site that is not allowed to call this server.'
}

/**
 * The HTTP face of the server: each request is alone, and both generations of the protocol are served. `?names=underscore`
 * lists tools without dots.
 */
export function createMcpHttp(options: McpHttpOptions): McpHttp {
  const hosts = new Set([...loopback, ...options.hosts])
  const origins = new Set(options.origins)
  const seal = cursorSeal(options.secret)
  const handlerFor = (names: ToolNames) =>
    createMcpHandler(
      ({ requestInfo }) => createMcpServer({ ...options, names, seal, key: requestInfo ? keyOf(requestInfo) : null }),
      { maxRequestBodySize: mostMessageBytes },
    )
  const handlers = { dots: handlerFor('dots'), underscore: handlerFor('underscore') }
  return {
    async handle(request) {
      const foreign = foreignName(request, hosts, origins)
      if (foreign !== null) return refusal(403, foreign)
      const asked = new URL(request.url).searchParams.get('names')
      const names = asked === 'underscore' || asked === 'dots' ? asked : options.names
      try {
        return await handlers[names].fetch(request)
      } catch (error) {
        options.onFault(error)
        return refusal(500, 'The request failed because of an internal error.')
      }
    },
    async close() {
      await Promise.all([handlers.dots.close(), handlers.underscore.close()])
    },
  }
}
