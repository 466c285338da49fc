import { mcpAliases } from '../descriptors/aliases.ts'
import { toolStructure } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Tools have the fields of the MCP specification, with the right types.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: toolStructure }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'Hosts ignore a tool they cannot read, or the whole list of tools.',
    bad: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: object
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object }
`,
    remedy: 'Give the tool a name, an object as inputSchema, and booleans as annotations.',
  },
})
