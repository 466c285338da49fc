import { mcpAliases } from '../descriptors/aliases.ts'
import { soundSchema } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description:
    'The schemas of a tool are consistent: required parameters are declared, values are valid, keywords are known.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.inputSchema', '#Tool.outputSchema'],
  then: [{ run: soundSchema }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema',
  help: {
    why: 'Models omit or invent a required parameter that is not described.',
    bad: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        state: { type: string }
      required: [status]
`,
    good: `
tools:
  - name: find_orders
    inputSchema:
      type: object
      properties:
        state: { type: string }
      required: [state]
`,
    remedy: 'Correct the part of the schema that the message names.',
  },
})
