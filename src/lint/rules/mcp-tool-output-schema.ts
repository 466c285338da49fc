import { mcpAliases } from '../descriptors/aliases.ts'
import { schemaOfTool } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The outputSchema of a tool is a valid JSON Schema of an object, which some value fits.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.outputSchema'],
  then: [{ run: schemaOfTool }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema',
  help: {
    why: 'A tool that has one must answer structured content that fits it: with a wrong one every call fails.',
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
    remedy: 'Make it a JSON Schema of an object that has what the tool answers.',
  },
})
