import schema from '../functions/schema.ts'
import { add } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document names its schemes.',
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
  fix: add('Say that it is reached by https', 'schemes', ['https']),
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Without schemes clients use the one that the document came by, which may be http.',
    bad: `
swagger: "2.0"
schemes: []
`,
    good: `
swagger: "2.0"
schemes: [https]
`,
    remedy: 'Write schemes: [https].',
  },
})
