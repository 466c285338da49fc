import { mcpAliases } from '../descriptors/aliases.ts'
import { portableSchema } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The root of an inputSchema has no oneOf, anyOf, allOf or $ref.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.inputSchema'],
  then: [{ run: portableSchema }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: "Several model APIs reject a whole request if the root of a tool's schema has one of these keywords.",
    bad: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      oneOf:
        - required: [id]
        - required: [state]
`,
    good: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        id: { type: string, description: One order; else give state. }
        state: { type: string, description: All orders in this state. }
`,
    remedy: 'Declare all properties at the root and describe which belong together, or split the tool.',
  },
})
