import { McpKeyRecord, mcpKeysApi } from '../../../src/api/mcp-keys.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { pageCounts, pageOptions } from '../../../cli/paging.ts'
import { renderFacts } from '../../../cli/table.ts'

export default group({
  summary: 'Manage keys of agents for the MCP endpoint',
  commands: {
    list: derive(mcpKeysApi.list, {
      summary: 'List the MCP keys of the organization and the tools each can call, newest first',
      examples: ['svc key mcp list', 'svc key mcp list --json'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No MCP keys. Make one: svc key mcp create LABEL\n',
      columns: {
        ID: (it) => it.id,
        PREFIX: (it) => it.prefix,
        MODE: (it) => it.mode,
        TOOLS: (it) => String(it.effective_tools.length),
        LABEL: (it) => it.label,
      },
      more: true,
    }),
    delete: derive(mcpKeysApi.remove, {
      summary: 'Delete an MCP key immediately',
      examples: ['svc key mcp delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [{ name: 'id', summary: 'id of the key, from the list' }],
      text: (_, { args }) => `Deleted ${args.id}\n`,
    }),
    create: command({
      summary: 'Create an MCP key with the tools of the organization; it is shown only once',
      description:
        'For administrators, signed in with "svc auth login" or on the local workspace. With --tool the key gets only these tools, within the limits of the organization.',
      examples: ['svc key mcp create "my editor"', 'svc key mcp create desk --tool spec.list --tool spec.describe'],
      arguments: [{ name: 'label', required: true, summary: 'what the key is for' }],
      options: {
        tool: { type: 'string', placeholder: 'NAME', multiple: true, summary: 'a tool the key can call (repeatable)' },
      },
      dataSchema: McpKeyRecord,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant() }
        const made = await call(mcpKeysApi.create, { params, body: { label: args.label } })
        const { tool } = options
        const settled =
          tool.length === 0
            ? made
            : await call(mcpKeysApi.setCapabilities, {
                params: { ...params, key_id: made.id },
                body: { mode: 'explicit', tools: [...tool] },
              }).catch(async (error: unknown) => {
                // No one has seen the key yet: it must not stay with more than was asked for.
                await call(mcpKeysApi.remove, { params: { ...params, key_id: made.id } })
                throw error
              })
        return {
          data: { ...settled, key: made.key },
          text: renderFacts([
            ['key', made.key ?? null],
            ['label', made.label],
            ['tools', settled.effective_tools.join(' ')],
            ['note', 'the key cannot be shown again'],
          ]),
        }
      },
    }),
  },
})
