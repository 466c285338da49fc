import { mcpAliases } from '../descriptors/aliases.ts'
import { toolStructure } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A tool has the fields of the protocol, of the right types.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: toolStructure }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'A host drops a tool that it cannot read, or the whole list with it.',
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
    remedy: 'Give the tool a name, an inputSchema that is an object, and annotations that are true or false.',
  },
})
