import { mcpAliases } from '../descriptors/aliases.ts'
import { promptArguments } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The arguments of a prompt have names of their own and descriptions.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Prompt'],
  then: [{ run: promptArguments }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt',
  help: {
    why: 'Hosts ask people for the arguments, with their descriptions as the question.',
    bad: `
tools: []
prompts: [{ name: review, arguments: [{ name: code }] }]
`,
    good: `
tools: []
prompts: [{ name: review, arguments: [{ name: code, description: The change as a diff. }] }]
`,
    remedy: 'Say of each argument what is wanted; give each a name once.',
  },
})
