import { mcpAliases } from '../descriptors/aliases.ts'
import { descriptionLength } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Descriptions of tools are informative and at most 1024 characters long.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: descriptionLength }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'One word does not tell tools apart; several hosts cut or reject descriptions over 1024 characters.',
    bad: `
tools:
  - name: find_orders
    description: Orders
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer by their state.
    inputSchema: { type: object }
`,
    remedy: 'Write one to five sentences, and move details to the descriptions of the parameters.',
  },
})
