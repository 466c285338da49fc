import { Server, type ListToolsResult } from '@modelcontextprotocol/server'
import type { Call } from '../src/api/endpoint.ts'
import { callTool } from './call-tool.ts'
import { underscored, type Tool } from './tool.ts'
import { tools } from './tools.gen.ts'

/** How tools are called in the list; calls take both spellings. */
export type ToolNames = 'dots' | 'underscore'

export interface McpOptions {
  readonly version: string
  /** Gives the way to the service for one caller; null stands for one without credentials. */
  readonly callFor: (key: string | null) => Call
  readonly names: ToolNames
  readonly onFault: (fault: unknown) => void
}

const instructions =
  'Published API specifications, read-only. Find one with spec.list or spec.search, look at its operations with ' +
  'spec.describe, then at one operation with spec.describe and its "operation". Answers stay within about 8000 tokens: ' +
  'when truncated is true, call again with next_cursor.'

/** The definition of a tool as hosts read it. TypeBox keeps its own marks under symbols, which JSON drops. */
const definitionOf = (tool: Tool, names: ToolNames) => ({
  name: names === 'underscore' ? underscored(tool.name) : tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: JSON.parse(JSON.stringify(tool.input)) as object,
  outputSchema: JSON.parse(JSON.stringify(tool.output)) as object,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
})

/** All tools in the order of their names; the list is the same for every caller. */
export const listTools = (names: ToolNames): ListToolsResult['tools'] =>
  tools.map((tool) => definitionOf(tool, names)) as ListToolsResult['tools']

/**
 * One server for one connection or request, on the low-level interface of the SDK: it keeps our error codes and wants no
 * second schema library. A key in `_meta.api_key` of a call wins over `key`, which came with the transport.
 */
export function createMcpServer(options: McpOptions & { readonly key: string | null }): Server {
  const { version, callFor, names, onFault, key } = options
  const server = new Server(
    { name: 'svc', title: 'svc: published API specifications', version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: listTools(names) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const own = context.mcpReq._meta?.api_key
    const caller = typeof own === 'string' && own !== '' ? own : key
    return (await callTool({
      tools,
      name: params.name,
      args: params.arguments,
      call: callFor(caller),
      onFault,
    })) as never
  })
  return server
}
