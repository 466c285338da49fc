import { mcpAliases } from '../descriptors/aliases.ts'
import { schemaOfTool } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The inputSchema of a tool is a valid JSON Schema of an object that accepts at least one value.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.inputSchema'],
  then: [{ run: schemaOfTool }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  help: {
    why: 'Hosts validate arguments against the schema, and model APIs reject requests with an invalid schema.',
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
    remedy: 'Correct the schema: valid JSON Schema (2020-12 unless "$schema" says otherwise) with type: object.',
  },
})
