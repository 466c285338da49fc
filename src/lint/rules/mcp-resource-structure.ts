import { mcpAliases } from '../descriptors/aliases.ts'
import { resourceStructure } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Resources have the fields of the MCP specification, with the right types.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resource'],
  then: [{ run: resourceStructure, options: { key: 'uri' } }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'Hosts ignore a resource they cannot read.',
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
