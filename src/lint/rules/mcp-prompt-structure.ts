import { mcpAliases } from '../descriptors/aliases.ts'
import { promptStructure } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Prompts have the fields of the MCP specification, with the right types.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Prompt'],
  then: [{ run: promptStructure }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt',
  help: {
    why: 'Hosts ignore a prompt they cannot read.',
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
    remedy: 'Give the prompt a name, and its arguments as an array of objects with names.',
  },
})
