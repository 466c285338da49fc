import { mcpAliases } from '../descriptors/aliases.ts'
import { describedParameters } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
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
    why: 'Models rely on it to fill in the parameter: meaning, format, unit, and where to get the value.',
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
    remedy: 'Add a description with the meaning, the format and the default of the parameter.',
  },
})
