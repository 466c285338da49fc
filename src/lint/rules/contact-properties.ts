import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The contact has a name, a URL and an e-mail address.',
  message: 'Contact object must have "name", "url" and "email".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$.info.contact'],
  then: [
    { field: 'name', run: truthy },
    { field: 'url', run: truthy },
    { field: 'email', run: truthy },
  ],
})
