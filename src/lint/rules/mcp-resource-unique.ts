import { mcpAliases } from '../descriptors/aliases.ts'
import { distinctNames } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'URIs of resources are unique.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resources'],
  then: [{ run: distinctNames('resource', 'uri') }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'Only one of two resources with the same URI can be read.',
    bad: `
tools: []
resources: [{ uri: 'file:///a', name: a }, { uri: 'file:///a', name: b }]
`,
    good: `
tools: []
resources: [{ uri: 'file:///a', name: a }, { uri: 'file:///b', name: b }]
`,
    remedy: 'Remove one of them, or correct its URI.',
  },
})
