import { mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Delete an MCP key immediately',
  examples: ['svc mcp-key delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [{ name: 'id', required: true, summary: 'id of the key, from the list' }],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    await call(mcpKeysApi.remove, { params: { tenant_slug: await tenant(), key_id: args.id } })
    return { data: null, text: `Deleted ${args.id}\n` }
  },
})
