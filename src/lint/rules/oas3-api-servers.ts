import nonEmptyList from '../functions/non-empty-list.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document names at least one server.',
  message: 'OpenAPI "servers" must be present and non-empty array.',
  severity: 'warning',
  given: ['$'],
  then: [{ field: 'servers', run: nonEmptyList }],
  formats: ['oas3'],
})
