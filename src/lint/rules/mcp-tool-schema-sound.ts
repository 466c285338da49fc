import { mcpAliases } from '../descriptors/aliases.ts'
import { soundSchema } from '../descriptors/schemas.ts'
import { rule } from '../rule.ts'

export default rule({
  description:
    'The schemas of a tool say what they mean: required parameters are declared, values fit, keywords are known.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool.inputSchema', '#Tool.outputSchema'],
  then: [{ run: soundSchema }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema',
  help: {
    why: 'A parameter that is required and not described is one that a model leaves out or makes up.',
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
    remedy: 'Mend what the finding names.',
  },
})
