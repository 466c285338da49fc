/** What the commands about MCP servers share. */
import type { Call } from '../../src/api/endpoint.ts'
import type { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { plural } from '../../src/plural.ts'
import { findInPages } from '../paging.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

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

const placeOf = ({ address, transport }: McpEndpoint): string => address ?? `(${transport})`

/** A server as lines. */
export const renderServer = (it: McpEndpoint): string =>
  renderFacts([
    ['id', it.id],
    ['name', it.title === null || it.title === it.name ? it.name : `${it.name} (${it.title})`],
    ['address', it.address],
    ['transport', it.transport],
    ['state', it.state],
    ['offers', it.declared === null && it.observed === null ? null : countsText(it.counts)],
    ['declared', it.declared === null ? null : `${it.declared.declared_at} ${it.declared.fingerprint ?? '(no tools)'}`],
    [
      'observed',
      it.observed === null ? 'never' : `${it.observed.observed_at} ${it.observed.fingerprint} by ${it.observed.by}`,
    ],
    ['surfaces', it.surface_match],
    ['approved', it.approved === null ? 'no' : `${it.approved.at} ${it.approved.fingerprint}`],
    ['note', it.approved?.note ?? null],
    ['last failure', it.failure === null ? null : `${it.failure.at} ${it.failure.class}: ${it.failure.message}`],
    ['header', it.header?.name ?? null],
    ['labels', it.labels.length === 0 ? null : it.labels.join(', ')],
    ['next observation', it.next_observation_at],
  ])

/** Servers as a table. */
export const renderServers = (all: readonly McpEndpoint[]): string =>
  all.length === 0
    ? 'No MCP servers. Import one: svc mcp-server import server.json\n'
    : renderTable(
        ['ID', 'NAME', 'STATE', 'APPROVED', 'TOOLS', 'OBSERVED', 'ADDRESS'],
        all.map((it) => [
          it.id,
          it.name,
          it.state,
          it.approved === null ? 'no' : it.approved.fingerprint === it.observed?.fingerprint ? 'yes' : 'before',
          String(it.counts.tools),
          it.observed === null ? 'never' : shortTime(it.observed.observed_at),
          placeOf(it),
        ]),
      )
