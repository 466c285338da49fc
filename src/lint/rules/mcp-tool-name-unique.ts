import { mcpAliases } from '../descriptors/aliases.ts'
import { distinctNames } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Names of tools are unique, even after hosts normalize them.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tools'],
  then: [{ run: distinctNames('tool', 'name') }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
  help: {
    why: 'A model calls a tool by its name; of two tools with the same name, a host uses only one or rejects both.',
    bad: `
tools:
  - name: find_orders
  - name: find_orders
`,
    good: `
tools:
  - name: find_orders
  - name: find_order_lines
`,
    remedy: 'Rename one of the tools.',
  },
})
