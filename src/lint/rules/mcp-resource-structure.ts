import { mcpAliases } from '../descriptors/aliases.ts'
import { resourceStructure } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A resource has the fields of the protocol, of the right types.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resource'],
  then: [{ run: resourceStructure, options: { key: 'uri' } }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'A host drops a resource that it cannot read.',
    bad: `
tools: []
resources: [{ uri: 'file:///readme' }]
`,
    good: `
tools: []
resources: [{ uri: 'file:///readme', name: readme }]
`,
    remedy: 'Give the resource a uri and a name.',
  },
})
