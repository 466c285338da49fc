import { AgentKeyRecord, agentKeysApi } from '../../src/api/agent-keys.ts'
import { toolsetNames } from '../../src/api/toolsets.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'Create an agent key; it is shown only once',
  description: 'Needs the permission to create keys: sign in with "svc auth login", or use the local workspace.',
  examples: [
    'svc agent-key create "review bot" --toolset lint',
    'svc agent-key create reader --toolset catalog-read --tool spec.list --tool spec.search --days 7',
  ],
  arguments: [{ name: 'label', required: true, summary: 'what the key is for' }],
  options: {
    toolset: {
      type: 'string',
      placeholder: 'NAME',
      required: true,
      choices: toolsetNames,
      summary: 'what the agent may do',
    },
    tool: { type: 'string', placeholder: 'NAME', multiple: true, summary: 'only this tool of the set (repeatable)' },
    days: { type: 'integer', min: 1, max: 365, default: 30, summary: 'days until it expires' },
  },
  dataSchema: AgentKeyRecord,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const { toolset, tool, days } = options
    const made = await call(agentKeysApi.create, {
      params: { tenant_slug: await tenant() },
      body: { label: args.label, toolset, expires_in_days: days, ...(tool.length === 0 ? {} : { tools: [...tool] }) },
    })
    return {
      data: made,
      text: renderFacts([
        ['key', made.key ?? null],
        ['label', made.label],
        ['tools', made.tools.join(' ')],
        ['expires', shortTime(made.expires_at)],
        ['note', 'the key cannot be shown again'],
      ]),
    }
  },
})
