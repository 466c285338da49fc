import { Type } from '@sinclair/typebox'
import type { SpecMcpServer } from '../../../src/api/spec-mcp-server-shapes.ts'
import { specsApi } from '../../../src/api/specs.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens, q } from '../../fields.ts'
import { boundedPage, given } from '../../page.ts'
import { boundPart } from '../../part.ts'
import { tool, type ToolContext } from '../../tool.ts'
import { cutTo } from '../../../src/kernel/text.ts'

/** What is around a definition: names. */
const keptBytes = 1500

interface Asked {
  readonly server: string
  readonly q?: string
  readonly cursor?: string
  readonly limit: number
}

/** A page of what a server offers, with what is known of the server. */
async function offersOf({ server, limit, ...more }: Asked, { call, budgetBytes }: ToolContext) {
  let about: SpecMcpServer | null = null
  const ask = async (count: number) => {
    const page = await call(specsApi.mcpServer, { query: { server, ...given(more), limit: count } })
    const { description } = page.about
    about = { ...page.about, description: description === null ? null : cutTo(description, 240) }
    return page
  }
  const page = await boundedPage(ask, { limit, budgetBytes, frame: (it) => ({ about, ...it }) })
  return { about, ...page }
}

/** The definition of one tool as the server sent it. */
async function definitionOf(
  { server, name, cursor }: { readonly server: string; readonly name: string; readonly cursor?: string },
  { call, budgetBytes }: ToolContext,
) {
  const { value } = await call(specsApi.mcpItem, { query: { server, name } })
  const part = { spec: server, name, pointer: '', value, referenced: {}, omitted: [], total: 1 }
  const options = { detail: 'full', refs: 'keep', ...given({ cursor }), budgetBytes: budgetBytes - keptBytes } as const
  const { spec: _, pointer: __, ...answer } = boundPart(part, options)
  return answer
}

export default tool({
  name: 'mcp_server.describe',
  title: 'MCP servers',
  description: 'MCP servers; with server: what it offers; with tool: that one',
  input: argumentsOf({
    server: Type.Optional(Type.String()),
    tool: Type.Optional(Type.String()),
    q,
    cursor,
    limit,
    max_tokens: maxTokens,
  }),
  output: Type.Object({
    items: Type.Optional(Type.Array(Type.Object({}))),
    definition: Type.Optional(Type.Unknown()),
    ...bounds,
  }),
  async run({ server, tool: name, q, cursor, limit = 50 }, context) {
    if (server !== undefined && name !== undefined) return definitionOf({ server, name, ...given({ cursor }) }, context)
    if (server !== undefined) return offersOf({ server, limit, ...given({ q, cursor }) }, context)
    const { call, budgetBytes } = context
    const query = given({ q, cursor })
    return boundedPage((limit) => call(specsApi.mcpServers, { query: { ...query, limit } }), { limit, budgetBytes })
  },
})
