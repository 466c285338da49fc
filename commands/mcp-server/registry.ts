import { mcpRegistryApi } from '../../src/api/mcp-registry.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'Show or change whether the approved MCP servers are published as a registry',
  description:
    'Agent hosts that accept a private registry are given the printed address; it lists approved servers only, and answers without credentials.',
  examples: ['svc mcp-server registry', 'svc mcp-server registry --enable', 'svc mcp-server registry --disable'],
  arguments: [],
  options: {
    enable: { type: 'boolean', summary: 'publish it' },
    disable: { type: 'boolean', summary: 'stop publishing it' },
    audience: {
      type: 'string',
      placeholder: 'AUDIENCE',
      choices: ['anyone-with-link', 'public'],
      summary: 'with anyone-with-link, answers ask search engines and shared caches to keep nothing',
    },
  },
  dataSchema: mcpRegistryApi.get.response,
  async run({ options, connection }) {
    const { enable, disable, audience } = options
    if (enable && disable) throw new SvcError('usage', { reason: '--enable and --disable exclude each other' })
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const before = await call(mcpRegistryApi.get, { params })
    const isAsked = enable || disable || audience !== undefined
    const enabled = enable || (!disable && before.enabled)
    const body = { enabled, ...(audience === undefined ? {} : { audience }) }
    const now = isAsked ? await call(mcpRegistryApi.set, { params, body }) : before
    const text = renderFacts([
      ['published', now.enabled ? 'yes' : 'no'],
      ['audience', now.audience],
      ['address', now.url],
      ['servers', String(now.servers)],
    ])
    return { data: now, text }
  },
})
