import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'No server URL points to example.com.',
  message: 'Server URL must not point at example.com.',
  severity: 'warning',
  recommended: false,
  formats: ['oas3'],
  given: ['$.servers[*].url'],
  then: [{ run: pattern, options: { notMatch: 'example\\.com' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#server-object',
  help: {
    why: 'Clients cannot reach the API at a placeholder such as example.com.',
    bad: `
openapi: 3.1.0
servers: [{ url: https://example.com }]
`,
    good: `
openapi: 3.1.0
servers: [{ url: https://api.pets.test }]
`,
    remedy: 'Replace it with the real URL.',
  },
})
