import { mcpAliases } from '../descriptors/aliases.ts'
import { plausibleHints } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The annotations of a tool match its name.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: plausibleHints }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations',
  help: {
    why: 'A host may run a tool such as delete_file without asking if it is annotated as read-only.',
    bad: `
tools:
  - name: delete_file
    annotations: { readOnlyHint: true }
`,
    good: `
tools:
  - name: delete_file
    annotations: { destructiveHint: true }
`,
    remedy: 'Correct the annotation or the name.',
  },
})
