import { mcpAliases } from '../descriptors/aliases.ts'
import { uriTemplate } from '../descriptors/offers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The uriTemplate of a resource template is a valid URI template (RFC 6570).',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Template.uriTemplate'],
  then: [{ run: uriTemplate }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource-templates',
  help: {
    why: 'Hosts cannot expand an invalid template, so its resources cannot be read.',
    bad: `
tools: []
resourceTemplates: [{ uriTemplate: 'file:///{path', name: files }]
`,
    good: `
tools: []
resourceTemplates: [{ uriTemplate: 'file:///{path}', name: files }]
`,
    remedy: 'Close the braces; use forms such as {name}, {+path} or {?a,b}.',
  },
})
