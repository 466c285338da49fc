import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'anyOf is not of OpenAPI 2.0.',
  message: '"anyOf" keyword must not be used in OpenAPI v2 document.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..anyOf'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#schema-object',
  help: {
    why: 'Swagger 2.0 has no anyOf: tools ignore it, and everything passes.',
    bad: `
swagger: "2.0"
definitions: { Id: { anyOf: [{ type: string }, { type: integer }] } }
`,
    good: `
swagger: "2.0"
definitions: { Id: { type: string } }
`,
    remedy: 'Describe one shape, or go on to OpenAPI 3.',
  },
})
