import { mcpAliases } from '../descriptors/aliases.ts'
import { portableName } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description:
    'Names of tools are accepted by all known hosts: at most 64 characters, starting with a letter, without dots.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: portableName }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
  help: {
    why: 'MCP allows more names than some hosts accept; in such a host the tool is missing or the request is rejected.',
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
    remedy: 'Use at most 64 characters, start with a letter, and replace "." with "_".',
  },
})
