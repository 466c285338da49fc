import { mcpAliases } from '../descriptors/aliases.ts'
import { describedParameters } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every parameter of a tool has a description.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: describedParameters }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'A model fills in parameters by what is said of them: format, unit, where to get the value.',
    bad: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        since: { type: string }
`,
    good: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        since: { type: string, description: 'The first day, such as 2026-01-31.' }
`,
    remedy: 'Say of each parameter what it means, in which form, and what is assumed without it.',
  },
})
