import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'oneOf is not of OpenAPI 2.0.',
  message: '"oneOf" keyword must not be used in OpenAPI v2 document.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..oneOf'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#schema-object',
  help: {
    why: 'Swagger 2.0 has no oneOf: tools ignore it, and everything passes.',
    bad: `
swagger: "2.0"
definitions: { Id: { oneOf: [{ type: string }, { type: integer }] } }
`,
    good: `
swagger: "2.0"
definitions: { Id: { type: string } }
`,
    remedy: 'Describe one shape, or go on to OpenAPI 3.',
  },
})
