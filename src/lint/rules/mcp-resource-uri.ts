import { mcpAliases } from '../descriptors/aliases.ts'
import { resourceUri } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The URI of a resource is a whole one.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resource.uri'],
  then: [{ run: resourceUri }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'A resource is asked for by its URI; one without a scheme means nothing outside of the server.',
    bad: `
tools: []
resources: [{ uri: readme.md, name: readme }]
`,
    good: `
tools: []
resources: [{ uri: 'file:///readme.md', name: readme }]
`,
    remedy: 'Write the scheme: file:, https:, git:, or one of your own.',
  },
})
