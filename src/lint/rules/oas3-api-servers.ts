import schema from '../functions/schema.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document lists its servers.',
  message: 'OpenAPI "servers" must be present and non-empty array.',
  severity: 'warning',
  formats: ['oas3'],
  given: ['$'],
  then: [
    {
      field: 'servers',
      run: schema,
      options: { dialect: 'draft7', schema: { items: { type: 'object' }, minItems: 1, type: 'array' } },
    },
  ],
})
