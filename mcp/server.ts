import { ProtocolError, Server, type ListPromptsResult, type ListToolsResult } from '@modelcontextprotocol/server'
import { isObject, type Json } from '../src/kernel/json.ts'
import type { Call } from '../src/api/endpoint.ts'
import { asAgent } from './agent-call.ts'
import { callTool } from './call-tool.ts'
import { complete } from './completion.ts'
import type { CursorSeal } from './cursor-seal.ts'
import { type About, capabilities, instructionsOf, serverInfoOf } from './greeting.ts'
import type { Prompt } from './prompt.ts'
import { prompts } from './prompts.gen.ts'
import { protocolErrorOf } from './refusals.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { underscored, type Tool } from './tool.ts'
import { tools } from './tools.gen.ts'

/** How tools are called in the list; calls take both spellings. */
export type ToolNames = 'dots' | 'underscore'

export interface McpOptions extends About {
  /** Gives the way to the service for one caller; null means one without credentials. */
  readonly callFor: (key: string | null) => Call
  readonly names: ToolNames
  /** Seals cursors; processes that share it read each other's. */
  readonly secret: string | Uint8Array
  readonly onFault: (fault: unknown) => void
  /** What is served; all tools and prompts when left out. */
  readonly registry?: { readonly tools: readonly Tool[]; readonly prompts: readonly Prompt[] }
}

/** Largest request, over HTTP and over standard input: two documents of a usual size, or one of 10 MB with the escapes of JSON. A longer one is refused. */
export const mostMessageBytes = 12 * 1024 * 1024

/** A schema in fewer words: every host sends all definitions to its model. */
function compact(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(compact)
  if (!isObject(value)) return value
  if (isObject(value.properties) && Object.keys(value).length === 2 && Object.keys(value.properties).length === 0)
    return { type: value.type ?? 'object' }
  const { anyOf, ...rest } = Object.fromEntries(Object.entries(value).map(([key, it]) => [key, compact(it)]))
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf }
  const choices = (anyOf as readonly Json[]).filter(isObject)
  if (choices.every((it) => it.type === 'string' && typeof it.const === 'string'))
    return { ...rest, type: 'string', enum: choices.map((it) => it.const ?? null) }
  if (choices.every((it) => typeof it.type === 'string' && Object.keys(it).length === 1))
    return { ...rest, type: choices.map((it) => it.type ?? null) }
  return { ...rest, anyOf }
}

/** TypeBox keeps its own marks under symbols, which JSON drops. */
const schemaOf = (schema: object) => compact(JSON.parse(JSON.stringify(schema)) as Json) as object

/** The definition of a tool as hosts read it. */
const definitionOf = (tool: Tool, names: ToolNames) => ({
  name: names === 'underscore' ? underscored(tool.name) : tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: schemaOf(tool.input),
  outputSchema: schemaOf(tool.output),
  // Whether a call may be repeated is a question only of tools that change something.
  annotations: { readOnlyHint: tool.writes !== true, openWorldHint: false },
})

/** All tools in the order of their names; the list is the same for every caller. */
export const listTools = (names: ToolNames, all: readonly Tool[] = tools): ListToolsResult['tools'] =>
  all.map((tool) => definitionOf(tool, names)) as ListToolsResult['tools']

const listPrompts = (prompts: readonly Prompt[]): ListPromptsResult['prompts'] =>
  prompts.map(({ name, title, description, arguments: all }) => ({
    name,
    title,
    description,
    arguments: all.map((it) => ({ ...it })),
  }))

/** The arguments of a prompt as it takes them. Raises -32602 for a prompt that is not there or an argument that is missing. */
function promptOf(prompts: readonly Prompt[], name: string, given: Readonly<Record<string, string>> = {}) {
  const prompt = prompts.find((one) => one.name === name)
  if (!prompt) throw new ProtocolError(-32602, `Unknown prompt "${name.slice(0, 100)}".`)
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''))
  const missing = prompt.arguments.filter((it) => it.required && args[it.name] === undefined).map((it) => it.name)
  if (missing.length > 0)
    throw new ProtocolError(-32602, `Missing arguments of the prompt ${name}: ${missing.join(', ')}.`)
  return { prompt, args }
}

/**
 * One server for one connection or request, on the low-level interface of the SDK: it keeps our error codes and wants no
 * second schema library. A key in `_meta.api_key` of a request wins over `key`, which came with the transport.
 */
export function createMcpServer(
  options: Omit<McpOptions, 'secret'> & { readonly key: string | null; readonly seal: CursorSeal },
): Server {
  const { callFor, names, onFault, key, seal, registry = { tools, prompts } } = options
  const server = new Server(serverInfoOf(options), { capabilities, instructions: instructionsOf(options) })
  const callOf = ({ mcpReq }: { readonly mcpReq: { readonly _meta?: Record<string, unknown> | undefined } }): Call => {
    const own = mcpReq._meta?.api_key
    return asAgent(callFor(typeof own === 'string' && own !== '' ? own : key))
  }
  const guarded = async <T>(uri: string | null, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw protocolErrorOf(error, uri, onFault)
    }
  }
  server.setRequestHandler('tools/list', () => ({ tools: listTools(names, registry.tools) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args } = params
    return (await callTool({ tools: registry.tools, name, args, call: callOf(context), seal, onFault })) as never
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler('resources/list', ({ params }, context) =>
    guarded(null, () => listResources(params?.cursor, { call: callOf(context), seal })),
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    guarded(uri, async () => ({ contents: [await readResource(uri, { call: callOf(context), seal })] })),
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(registry.prompts) }))
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    guarded(null, async () => {
      const { prompt, args } = promptOf(registry.prompts, params.name, params.arguments)
      const toolName = names === 'underscore' ? underscored : (name: string) => name
      const messages = await prompt.run(args, { call: callOf(context), seal, toolName })
      return { description: prompt.description, messages }
    }),
  )
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    guarded(null, async () => {
      const { name, value } = params.argument
      const others = params.context?.arguments ?? {}
      return { completion: await complete({ name, value, others }, callOf(context)) }
    }),
  )
  return server
}
