import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info has a contact.',
  message: 'Info object must have "contact" object.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.contact', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'Whoever finds a fault in the API must know whom to tell.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
`,
    good: `
openapi: 3.1.0
info: { title: Pets, contact: { name: Pets team } }
`,
    remedy: 'Write the contact of those who answer for the API.',
  },
})
