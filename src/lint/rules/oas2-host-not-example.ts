import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The host is not example.com.',
  message: 'Host URL must not point at example.com.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: pattern, options: { notMatch: 'example\\.com' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Clients cannot reach the API at a placeholder such as example.com.',
    bad: `
swagger: "2.0"
host: example.com
`,
    good: `
swagger: "2.0"
host: api.pets.test
`,
    remedy: 'Replace it with the real host.',
  },
})
