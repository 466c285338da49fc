import { mcpAliases } from '../descriptors/aliases.ts'
import { portableName } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The names of tools pass every known host: at most 64 characters, a letter first, no dot.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: portableName }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
  help: {
    why: 'The protocol allows more than some hosts pass on: there the tool is missing, or the request is refused.',
    bad: `
tools:
  - name: orders.find
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: orders_find
    inputSchema: { type: object }
`,
    remedy: 'Write "_" for ".", begin with a letter, and stay within 64 characters.',
  },
})
