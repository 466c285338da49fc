import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every parameter has a description.',
  message: 'Parameter objects must have "description".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2'],
  given: ['$..parameters[?(@ && @.in)]'],
  then: [{ field: 'description', run: truthy }],
})
