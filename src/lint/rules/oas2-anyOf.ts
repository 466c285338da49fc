import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Swagger 2.0 documents do not use anyOf.',
  message: '"anyOf" keyword must not be used in OpenAPI v2 document.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..anyOf'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#schema-object',
  help: {
    why: 'Swagger 2.0 does not support anyOf; tools ignore it and accept every value.',
    bad: `
swagger: "2.0"
definitions: { Id: { anyOf: [{ type: string }, { type: integer }] } }
`,
    good: `
swagger: "2.0"
definitions: { Id: { type: string } }
`,
    remedy: 'Describe a single schema, or migrate to OpenAPI 3.',
  },
})
