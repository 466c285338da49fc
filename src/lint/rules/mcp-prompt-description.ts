import { mcpAliases } from '../descriptors/aliases.ts'
import { described } from '../descriptors/texts.ts'
import { rule } from '../rule.ts'

export default rule({
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
    why: 'People see it when they choose a prompt.',
    bad: `
tools: []
prompts: [{ name: review }]
`,
    good: `
tools: []
prompts: [{ name: review, description: Reviews a change for mistakes. }]
`,
    remedy: 'Say what the prompt makes the model do.',
  },
})
