import { mcpAliases } from '../descriptors/aliases.ts'
import { resourceUri } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The URI of a resource is absolute.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resource.uri'],
  then: [{ run: resourceUri }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'Resources are requested by URI, and a URI without a scheme cannot be resolved by hosts.',
    bad: `
tools: []
resources: [{ uri: readme.md, name: readme }]
`,
    good: `
tools: []
resources: [{ uri: 'file:///readme.md', name: readme }]
`,
    remedy: 'Add a scheme: file:, https:, git:, or one of your own.',
  },
})
