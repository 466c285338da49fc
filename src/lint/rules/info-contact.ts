import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info has a contact.',
  message: 'Info object must have "contact" object.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.contact', run: truthy }],
})
