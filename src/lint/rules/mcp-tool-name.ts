import { mcpAliases } from '../descriptors/aliases.ts'
import { toolName } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The names of tools have only characters that the protocol allows, and at most 128 of them.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: toolName }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
  help: {
    why: 'Hosts pass names on to models, which accept letters, digits, "_", "-" and "." alone: a request with any other name fails.',
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
    remedy: 'Rename the tool: letters, digits, "_", "-" and ".", at most 128 characters.',
  },
})
