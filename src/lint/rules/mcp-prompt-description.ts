import { mcpAliases } from '../descriptors/aliases.ts'
import { described } from '../descriptors/texts.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every prompt has a description.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Prompt'],
  then: [{ run: described, options: { what: 'prompt' } }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt',
  help: {
    why: 'Users read it when they choose a prompt.',
    bad: `
tools: []
prompts: [{ name: review }]
`,
    good: `
tools: []
prompts: [{ name: review, description: Reviews a change for mistakes. }]
`,
    remedy: 'Add a description of what the prompt does.',
  },
})
