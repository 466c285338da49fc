import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The license has a URL.',
  message: 'License object must include "url".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.license.url', run: truthy }],
})
