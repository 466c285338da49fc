import { mcpAliases } from '../descriptors/aliases.ts'
import { annotated } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Tools declare whether they are read-only.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: annotated }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'A tool without annotations counts as destructive, so hosts may ask the user before every call.',
    bad: `
tools:
  - name: find_orders
    description: Finds the orders of a customer by their state.
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer by their state.
    inputSchema: { type: object }
    annotations: { readOnlyHint: true }
`,
    remedy:
      'Add annotations with readOnlyHint; for tools that change something, also add destructiveHint and idempotentHint.',
  },
})
