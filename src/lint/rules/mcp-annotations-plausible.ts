import { mcpAliases } from '../descriptors/aliases.ts'
import { plausibleHints } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The hints of a tool fit its name.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: plausibleHints }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations',
  help: {
    why: 'A tool named delete_file that says it only reads is a mistake, or worse: hosts call it without asking.',
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
    remedy: 'Correct the hint, or the name.',
  },
})
