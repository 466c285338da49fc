import { mcpAliases } from '../descriptors/aliases.ts'
import { toolName } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Names of tools use only the characters that MCP allows and are at most 128 characters long.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: toolName }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
  help: {
    why: 'MCP allows letters, digits, "_", "-" and "."; model APIs reject requests with other names.',
    bad: `
tools:
  - name: find orders!
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: find_orders
    inputSchema: { type: object }
`,
    remedy: 'Rename the tool with letters, digits, "_", "-" and ".", at most 128 characters.',
  },
})
