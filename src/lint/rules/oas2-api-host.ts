import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document names a host.',
  message: 'OpenAPI "host" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: truthy }],
})
