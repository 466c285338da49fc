import { keptSchemas } from '../descriptors/drift.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Nothing that agents rely on changed since the server was approved.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  given: ['$'],
  then: [{ run: keptSchemas }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations',
  help: {
    why: 'Agents that were tested with the approved schemas fail or send other data; the message has a value that is no longer accepted.',
    bad: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object, required: [id], properties: { id: { type: string } } }
    annotations: { readOnlyHint: true }
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer.
    inputSchema: { type: object, properties: { id: { type: string } } }
    annotations: { readOnlyHint: true }
`,
    remedy: 'Review the difference, test the agents that use the tool, and approve the server again.',
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
