import { agentKeysApi } from '../../src/api/agent-keys.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Revoke an agent key immediately; it stays in the list',
  examples: ['svc agent-key revoke 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [{ name: 'id', required: true, summary: 'id of the key, from the list' }],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    await call(agentKeysApi.revoke, { params: { tenant_slug: await tenant(), key: args.id } })
    return { data: null, text: `Revoked ${args.id}\n` }
  },
})
