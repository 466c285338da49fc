import { McpKeyRecord, mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'Create an MCP key with the tools of the organization; it is shown only once',
  description:
    'For administrators, signed in with "svc auth login" or on the local workspace. With --tool the key gets only these tools, within the limits of the organization.',
  examples: ['svc mcp-key create "my editor"', 'svc mcp-key create desk --tool spec.list --tool spec.describe'],
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
})
