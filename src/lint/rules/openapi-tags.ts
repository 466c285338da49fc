import schema from '../functions/schema.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document has a list of tags.',
  message: 'OpenAPI object must have non-empty "tags" array.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'tags', run: schema, options: { dialect: 'draft7', schema: { type: 'array', minItems: 1 } } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#openapi-object',
  help: {
    why: 'The list defines the order and the descriptions of the groups in documentation.',
    bad: `
openapi: 3.1.0
tags: []
`,
    good: `
openapi: 3.1.0
tags: [{ name: pets }]
`,
    remedy: 'Add "tags" with the name and description of each tag.',
  },
})
