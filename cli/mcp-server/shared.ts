/** What the commands about MCP servers share. */
import type { Call } from '../../src/api/endpoint.ts'
import type { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Invocation } from '../declare.ts'
import { findInPages } from '../paging.ts'
import { renderFacts } from '../table.ts'

export const serverArgument = {
  name: 'server',
  required: true,
  summary: 'id, name or address of the server',
} as const

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/**
 * The server that an id, a name or an address names.
 * @throws SvcError `mcp-endpoint-not-found`
 */
export async function findServer(call: Call, tenant: string, given: string): Promise<McpEndpoint> {
  const params = { tenant_slug: tenant }
  const address = given.replace(/\/+$/, '')
  const found = isId(given)
    ? undefined
    : await findInPages(
        async (page) => {
          const { endpoints, total } = await call(mcpServersApi.list, {
            params,
            query: { q: address.replace(/^https?:\/\//i, ''), ...page },
          })
          return { items: endpoints, total }
        },
        (it) => it.name === given || it.address === address,
      )
  return found ?? call(mcpServersApi.get, { params: { ...params, endpoint_id: given } })
}

/** The server as a parameter of the path. */
export const serverIdArgument = {
  ...serverArgument,
  field: 'endpoint_id',
  async read(given: string, { connection }: Invocation) {
    const { call, tenant } = await connection()
    return (await findServer(call, await tenant(), given)).id
  },
} as const

/** The first characters of a fingerprint, which tell them apart for people. */
export const shortPrint = (fingerprint: string): string => fingerprint.replace(/^sha256:/, '').slice(0, 12)

/** "12 tools, 1 prompt". */
export function countsText({ tools, resources, templates, prompts }: McpEndpoint['counts']): string {
  const parts = [
    tools > 0 && plural(tools, 'tool'),
    resources > 0 && plural(resources, 'resource'),
    templates > 0 && plural(templates, 'resource template'),
    prompts > 0 && plural(prompts, 'prompt'),
  ].filter((it) => it !== false)
  return parts.length === 0 ? 'no tools, resources or prompts' : parts.join(', ')
}

/** A server as lines. */
export const renderServer = (server: McpEndpoint): string =>
  renderFacts([
    ['id', server.id],
    ['name', server.title === null || server.title === server.name ? server.name : `${server.name} (${server.title})`],
    ['address', server.address],
    ['transport', server.transport],
    ['state', server.state],
    ['offers', server.declared === null && server.observed === null ? null : countsText(server.counts)],
    [
      'declared',
      server.declared === null ? null : `${server.declared.declared_at} ${server.declared.fingerprint ?? '(no tools)'}`,
    ],
    [
      'observed',
      server.observed === null
        ? 'never'
        : `${server.observed.observed_at} ${server.observed.fingerprint} by ${server.observed.by}`,
    ],
    ['surfaces', server.surface_match],
    ['approved', server.approved === null ? 'no' : `${server.approved.at} ${server.approved.fingerprint}`],
    ['note', server.approved?.note ?? null],
    [
      'last failure',
      server.failure === null ? null : `${server.failure.at} ${server.failure.class}: ${server.failure.message}`,
    ],
    ['header', server.header?.name ?? null],
    ['labels', server.labels.length === 0 ? null : server.labels.join(', ')],
    ['next observation', server.next_observation_at],
  ])

/** Whether what a server offers now was approved. */
export function approvedText({ approved, observed }: McpEndpoint): string {
  if (approved === null) return 'no'
  return approved.fingerprint === observed?.fingerprint ? 'yes' : 'before'
}
