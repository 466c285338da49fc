import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The host is not example.com.',
  message: 'Host URL must not point at example.com.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: pattern, options: { notMatch: 'example\\.com' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'The example stayed where the real host belongs.',
    bad: `
swagger: "2.0"
host: example.com
`,
    good: `
swagger: "2.0"
host: api.pets.test
`,
    remedy: 'Write the real host.',
  },
})
