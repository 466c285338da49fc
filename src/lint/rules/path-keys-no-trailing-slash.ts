import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Paths do not end with a slash.',
  message: 'Path must not end with slash.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '.+\\/$' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#paths-object',
  help: {
    why: 'With and without a trailing slash, a path makes two different URLs, and many servers answer only one of them.',
    bad: `
openapi: 3.1.0
paths: { /pets/: {} }
`,
    good: `
openapi: 3.1.0
paths: { /pets: {} }
`,
    remedy: 'Remove the trailing slash.',
  },
})
