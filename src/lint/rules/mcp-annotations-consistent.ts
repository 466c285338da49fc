import { mcpAliases } from '../descriptors/aliases.ts'
import { consistentHints } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The hints of a tool do not contradict each other.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: consistentHints }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations',
  help: {
    why: 'Of two hints that contradict each other a host believes either: it may call what destroys without asking.',
    bad: `
tools:
  - name: find_orders
    annotations: { readOnlyHint: true, destructiveHint: true }
`,
    good: `
tools:
  - name: find_orders
    annotations: { readOnlyHint: true }
`,
    remedy: 'Keep readOnlyHint for tools that change nothing; leave the other hints out there.',
  },
})
