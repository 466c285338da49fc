import { mcpAliases } from '../descriptors/aliases.ts'
import { ownName } from '../descriptors/drift.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'No other server of the organization has a tool of the same name.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: ownName }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations',
  help: {
    why: 'An agent that uses both servers may call the wrong tool; a server can take over calls by offering a name that another one has.',
    bad: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: find_archived_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object }
`,
    remedy: 'Put a word for the server before the name, or let agents use one of the servers.',
    beside: {
      'shop.yaml': `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object }
`,
    },
  },
})
