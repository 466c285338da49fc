import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info object has a description.',
  message: 'Info "description" must be present and non-empty.',
  severity: 'warning',
  given: ['$'],
  then: [{ field: 'info.description', run: truthy }],
  formats: ['oas2', 'oas3'],
})
