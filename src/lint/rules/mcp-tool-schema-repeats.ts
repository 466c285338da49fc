import { mcpAliases } from '../descriptors/aliases.ts'
import { repeatedParts } from '../descriptors/budget.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The schemas of a tool do not repeat large parts.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tool'],
  then: [{ run: repeatedParts(50) }],
  documentationUrl: 'https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.4',
  help: {
    why: 'A model reads each repetition again; generators often write out what their source names once.',
    bad: `
tools:
  - name: ship_order
    inputSchema:
      type: object
      properties:
        sender: &address
          type: object
          required: [name, street, city, country]
          properties:
            name: { type: string, description: Full name }
            street: { type: string, description: Street and number }
            city: { type: string, description: Town with its postal code }
            country: { type: string, pattern: '^[A-Z]{2}$' }
        receiver: *address
`,
    good: `
tools:
  - name: ship_order
    inputSchema:
      type: object
      properties:
        sender: { $ref: '#/$defs/address' }
        receiver: { $ref: '#/$defs/address' }
      $defs:
        address:
          type: object
          required: [name, street, city, country]
          properties:
            name: { type: string, description: Full name }
            street: { type: string, description: Street and number }
            city: { type: string, description: Town with its postal code }
            country: { type: string, pattern: '^[A-Z]{2}$' }
`,
    remedy: 'Write the part once below "$defs" of the schema, and refer to it.',
  },
})
