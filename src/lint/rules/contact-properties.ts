import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The contact object has a name, a URL and an email address.',
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
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#contact-object',
  help: {
    why: 'If one way to contact the API owner fails, consumers can use another.',
    bad: `
openapi: 3.1.0
info: { contact: { name: Pets team } }
`,
    good: `
openapi: 3.1.0
info: { contact: { name: Pets team, url: https://example.com/pets, email: pets@example.com } }
`,
    remedy: 'Add name, url and email to info.contact.',
  },
})
