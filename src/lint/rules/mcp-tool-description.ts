import { mcpAliases } from '../descriptors/aliases.ts'
import { toolDescription } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every tool has a description.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: toolDescription }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'Models choose tools by their description; without one they guess from the name.',
    bad: `
tools:
  - name: find_orders
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer by their state.
    inputSchema: { type: object }
`,
    remedy: 'Add a description: what the tool does, when to use it, and what it returns.',
  },
})
