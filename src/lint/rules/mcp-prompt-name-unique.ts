import { mcpAliases } from '../descriptors/aliases.ts'
import { distinctNames } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Names of prompts are unique.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Prompts'],
  then: [{ run: distinctNames('prompt', 'name') }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt',
  help: {
    why: 'Users choose a prompt by its name.',
    bad: `
tools: []
prompts: [{ name: review }, { name: review }]
`,
    good: `
tools: []
prompts: [{ name: review }, { name: explain }]
`,
    remedy: 'Rename one of the prompts.',
  },
})
