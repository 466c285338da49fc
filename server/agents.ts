import { randomBytes } from 'node:crypto'
import type { McpHttp } from '../mcp/http.ts'
import type { ToolNames } from '../mcp/server.ts'
import type { Service } from './app.ts'
import { listen, type Listener } from './http/listen.ts'
import { pathOf } from './http/request-path.ts'
import { requestIdOf } from './http/request-id.ts'
import type { Observe } from './http/observe.ts'
import { livenessAnswer } from './operations/health.ts'

export interface AgentsOptions {
  readonly service: Pick<Service, 'callWith'>
  readonly version: string
  readonly toolNames: ToolNames
  /** Seals cursors; shared by all processes behind one address. Null: one of this process alone. */
  readonly secret: string | null
  /** Host names beside those of loopback under which agents reach it. */
  readonly hosts: readonly string[]
  readonly observe: Observe
  readonly onFault: (fault: unknown, where: string) => void
}

/** The endpoint of agents: Streamable HTTP at `/mcp`. */
export interface Agents {
  /** Answers `/mcp`; null for every other path. */
  readonly handle: (request: Request) => Promise<Response> | null
  readonly close: () => Promise<void>
}

/** Makes the endpoint. The protocol's library is loaded by the first request to it: most servers wait long for one. */
export function createAgents(options: AgentsOptions): Agents {
  const { service, version, toolNames, hosts, observe, onFault } = options
  const secret = options.secret ?? randomBytes(32)
  let opened: Promise<McpHttp> | null = null
  const open = async (): Promise<McpHttp> => {
    const { createMcpHttp } = await import('../mcp/http.ts')
    return createMcpHttp({
      version,
      callFor: (key) => service.callWith(key),
      names: toolNames,
      secret,
      hosts,
      origins: [],
      onFault: (fault) => onFault(fault, 'mcp'),
    })
  }
  return {
    handle(request) {
      if (pathOf(request) !== '/mcp') return null
      const facts = { request, requestId: requestIdOf(request), route: () => '/mcp' }
      return observe(facts, async () => (await (opened ??= open())).handle(request))
    },
    close: async () => (await opened)?.close(),
  }
}

/**
 * Listens for agents alone: `/mcp`, and `/health` without credentials.
 * @throws SvcError `port-unavailable`
 */
export const listenForAgents = (agents: Agents, version: string, host: string, port: number): Listener =>
  listen(host, port, async (request) => {
    const answer = agents.handle(request)
    if (answer) return answer
    const isHealth = new URL(request.url).pathname === '/health'
    if (isHealth && (request.method === 'GET' || request.method === 'HEAD')) return livenessAnswer(version)
    const served = 'Agents connect at /mcp; /health shows whether this server is running.'
    return new Response(`${served}\n`, { status: isHealth ? 405 : 404 })
  })
