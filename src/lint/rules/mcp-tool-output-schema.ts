import { mcpAliases } from '../descriptors/aliases.ts'
import { schemaOfTool } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The outputSchema of a tool is a valid JSON Schema of an object that accepts at least one value.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.outputSchema'],
  then: [{ run: schemaOfTool }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema',
  help: {
    why: 'A tool with an outputSchema must return structured content that is valid against it, so with an incorrect schema every call fails.',
    bad: `
tools:
  - name: find_orders
    outputSchema: { type: array }
`,
    good: `
tools:
  - name: find_orders
    outputSchema:
      type: object
      properties:
        orders: { type: array }
`,
    remedy: 'Correct the schema so that it describes the object that the tool returns.',
  },
})
