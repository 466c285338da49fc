import { mcpAliases } from '../descriptors/aliases.ts'
import { descriptionLength } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Descriptions of tools say enough to choose by, in at most 1024 characters.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: descriptionLength }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'A description of a word does not tell tools apart; what is longer than 1024 characters is cut or refused by several hosts, and costs every request.',
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
    remedy: 'One to five sentences; move the rest into the descriptions of the parameters.',
  },
})
