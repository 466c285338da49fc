import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every tag has a description.',
  message: 'Tag object must have "description".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$.tags[*]'],
  then: [{ field: 'description', run: truthy }],
})
