import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The info object has a contact.',
  message: 'Info object must have "contact" object.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.contact', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'Consumers who find a problem need to know where to report it.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
`,
    good: `
openapi: 3.1.0
info: { title: Pets, contact: { name: Pets team } }
`,
    remedy: 'Add info.contact with a name, URL or email address.',
  },
})
