import { keptHints } from '../descriptors/drift.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'No guarantee about a tool was withdrawn since the server was approved.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  given: ['$'],
  then: [{ run: keptHints }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations',
  help: {
    why: 'Users let agents call a read-only tool without asking; a tool that stops to be read-only uses a permission that no one gave it.',
    bad: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object, properties: { id: { type: string } } }
    annotations: { readOnlyHint: false }
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object, properties: { id: { type: string } } }
    annotations: { readOnlyHint: true }
`,
    remedy:
      'Review the tool with its difference, and approve the server again, or ask its author why the hint changed.',
    beside: {
      'approved.yaml': `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object, properties: { id: { type: string } } }
    annotations: { readOnlyHint: true }
`,
    },
  },
})
