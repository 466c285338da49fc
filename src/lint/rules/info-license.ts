import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info names a license.',
  message: 'Info object must have "license" object.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.license', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'Without a licence nobody knows what may be done with the API.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
`,
    good: `
openapi: 3.1.0
info: { title: Pets, license: { name: MIT, url: https://opensource.org/license/mit } }
`,
    remedy: 'Write the licence, or that all rights are reserved.',
  },
})
