import schema from '../functions/schema.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document lists its tags.',
  message: 'OpenAPI object must have non-empty "tags" array.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'tags', run: schema, options: { dialect: 'draft7', schema: { type: 'array', minItems: 1 } } }],
})
