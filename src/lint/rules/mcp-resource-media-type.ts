import { mcpAliases } from '../descriptors/aliases.ts'
import { mediaType } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The mimeType of a resource is a valid media type.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resource.mimeType', '#Template.mimeType'],
  then: [{ run: mediaType }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'Hosts use it to decide how to show the resource and whether a model can read it.',
    bad: `
tools: []
resources: [{ uri: 'file:///a', name: a, mimeType: markdown }]
`,
    good: `
tools: []
resources: [{ uri: 'file:///a', name: a, mimeType: text/markdown }]
`,
    remedy: 'Use a type and a subtype, such as text/markdown.',
  },
})
