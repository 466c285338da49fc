import { mcpAliases } from '../descriptors/aliases.ts'
import { described } from '../descriptors/texts.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every resource has a description.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Resource', '#Template'],
  then: [{ run: described, options: { what: 'resource' } }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource',
  help: {
    why: 'Models and users rely on it to choose what to read.',
    bad: `
tools: []
resources: [{ uri: 'file:///a', name: a }]
`,
    good: `
tools: []
resources: [{ uri: 'file:///a', name: a, description: The terms of delivery. }]
`,
    remedy: 'Add a description of what the resource contains.',
  },
})
