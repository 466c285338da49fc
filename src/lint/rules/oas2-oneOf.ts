import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Swagger 2.0 documents do not use oneOf.',
  message: '"oneOf" keyword must not be used in OpenAPI v2 document.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..oneOf'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#schema-object',
  help: {
    why: 'Swagger 2.0 does not support oneOf; tools ignore it and accept every value.',
    bad: `
swagger: "2.0"
definitions: { Id: { oneOf: [{ type: string }, { type: integer }] } }
`,
    good: `
swagger: "2.0"
definitions: { Id: { type: string } }
`,
    remedy: 'Describe a single schema, or migrate to OpenAPI 3.',
  },
})
