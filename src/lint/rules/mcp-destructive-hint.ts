import { mcpAliases } from '../descriptors/aliases.ts'
import { markedDestructive } from '../descriptors/drift.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Tools whose names say that they delete something have a destructiveHint.',
  message: '{{error}}',
  severity: 'hint',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: markedDestructive }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'Hosts ask before a destructive tool only if they know that it is one; a missing hint means destructive, but not every host reads it so.',
    bad: `
tools:
  - name: delete_order
    description: Deletes an order and its items.
    inputSchema: { type: object }
`,
    good: `
tools:
  - name: delete_order
    description: Deletes an order and its items.
    inputSchema: { type: object }
    annotations: { destructiveHint: true }
`,
    remedy: 'Add destructiveHint to the annotations: true, or false if the effect can be undone.',
  },
})
