import { mcpAliases } from '../descriptors/aliases.ts'
import { promptStructure } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A prompt has the fields of the protocol, of the right types.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Prompt'],
  then: [{ run: promptStructure }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt',
  help: {
    why: 'A host drops a prompt that it cannot read.',
    bad: `
tools: []
prompts:
  - name: review
    arguments: { code: string }
`,
    good: `
tools: []
prompts:
  - name: review
    arguments: [{ name: code, required: true }]
`,
    remedy: 'Give the prompt a name, and its arguments as a list of objects with names.',
  },
})
