import alphabetical from '../functions/alphabetical.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The tags are in alphabetical order.',
  message: 'OpenAPI object must have alphabetical "tags".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'tags', run: alphabetical, options: { keyedBy: 'name' } }],
})
