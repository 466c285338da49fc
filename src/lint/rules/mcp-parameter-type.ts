import { mcpAliases } from '../descriptors/aliases.ts'
import { typedParameters } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every parameter of a tool has a type.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: typedParameters }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'Some hosts reject parameters without a type, and models may send a string instead of a number.',
    bad: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        limit: { description: Maximum number of orders. }
`,
    good: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        limit: { type: integer, description: Maximum number of orders. }
`,
    remedy: 'Add "type", or list the values in "enum".',
  },
})
