import { mcpAliases } from '../descriptors/aliases.ts'
import { annotated } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A tool says whether it only reads.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: annotated }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'A tool without hints counts as one that destroys: hosts ask the user before every call.',
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
      'Write annotations with readOnlyHint, and for tools that change something destructiveHint and idempotentHint.',
  },
})
