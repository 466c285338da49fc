import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The info object has a license.',
  message: 'Info object must have "license" object.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.license', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'Without a license, consumers do not know how they may use the API.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
`,
    good: `
openapi: 3.1.0
info: { title: Pets, license: { name: MIT, url: https://opensource.org/license/mit } }
`,
    remedy: 'Add info.license with a name, and a URL or SPDX identifier.',
  },
})
