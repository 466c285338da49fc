import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info object has a contact.',
  message: 'Info object must have "contact" object.',
  severity: 'warning',
  given: ['$'],
  then: [{ field: 'info.contact', run: truthy }],
  formats: ['oas2', 'oas3'],
})
