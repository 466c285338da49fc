import { mcpAliases } from '../descriptors/aliases.ts'
import { consistentHints } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The annotations of a tool do not contradict each other.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: consistentHints }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations',
  help: {
    why: 'A host may follow either of two contradicting annotations and run a destructive tool without asking.',
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
    remedy:
      'Set readOnlyHint only for tools that change nothing, and remove destructiveHint and idempotentHint from them.',
  },
})
