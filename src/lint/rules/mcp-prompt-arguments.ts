import { mcpAliases } from '../descriptors/aliases.ts'
import { promptArguments } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Arguments of a prompt have descriptions and unique names.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Prompt'],
  then: [{ run: promptArguments }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt',
  help: {
    why: 'Hosts show the descriptions when they ask the user for the arguments.',
    bad: `
tools: []
prompts: [{ name: review, arguments: [{ name: code }] }]
`,
    good: `
tools: []
prompts: [{ name: review, arguments: [{ name: code, description: The change as a diff. }] }]
`,
    remedy: 'Add a description to each argument, and use each name once.',
  },
})
