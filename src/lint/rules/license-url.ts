import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The license has a URL.',
  message: 'License object must include "url".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.license.url', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#license-object',
  help: {
    why: 'The name of a licence alone seldom says which text holds.',
    bad: `
openapi: 3.1.0
info: { license: { name: Ours } }
`,
    good: `
openapi: 3.1.0
info: { license: { name: Ours, url: https://example.com/licence } }
`,
    remedy: 'Write the address of its text.',
  },
})
