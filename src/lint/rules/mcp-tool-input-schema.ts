import { mcpAliases } from '../descriptors/aliases.ts'
import { schemaOfTool } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The inputSchema of a tool is a valid JSON Schema of an object, which some value fits.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.inputSchema'],
  then: [{ run: schemaOfTool }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'Hosts check arguments against the schema, and models are refused with a schema that is none: the tool cannot be called.',
    bad: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        limit: { type: integer, minimum: 100, maximum: 1 }
`,
    good: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        limit: { type: integer, minimum: 1, maximum: 100 }
`,
    remedy: 'Make it a JSON Schema (2020-12 where "$schema" is absent) whose type is "object".',
  },
})
