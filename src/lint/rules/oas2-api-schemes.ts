import schema from '../functions/schema.ts'
import { add } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document has schemes.',
  message: 'OpenAPI host "schemes" must be present and non-empty array.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$'],
  then: [
    {
      field: 'schemes',
      run: schema,
      options: { dialect: 'draft7', schema: { items: { type: 'string' }, minItems: 1, type: 'array' } },
    },
  ],
  fix: add('Add the scheme https', 'schemes', ['https']),
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Without schemes, clients use the scheme that the document was loaded with, which may be http.',
    bad: `
swagger: "2.0"
schemes: []
`,
    good: `
swagger: "2.0"
schemes: [https]
`,
    remedy: 'Add schemes: [https].',
  },
})
