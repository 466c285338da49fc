import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info has a description that is not empty.',
  message: 'Info "description" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.description', run: truthy }],
})
