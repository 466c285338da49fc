import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The license has a URL.',
  message: 'License object must include "url".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.license.url', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#license-object',
  help: {
    why: 'The name alone rarely identifies the license text.',
    bad: `
openapi: 3.1.0
info: { license: { name: Ours } }
`,
    good: `
openapi: 3.1.0
info: { license: { name: Ours, url: https://example.com/licence } }
`,
    remedy: 'Add info.license.url with the address of the license text.',
  },
})
