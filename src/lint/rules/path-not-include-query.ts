import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Paths contain no query string.',
  message: 'Path must not include query string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '\\?' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#paths-object',
  help: {
    why: 'A path with a query string matches no request, and tools ignore it.',
    bad: `
openapi: 3.1.0
paths: { "/pets?kind=cat": {} }
`,
    good: `
openapi: 3.1.0
paths: { /pets: { get: { parameters: [{ name: kind, in: query }] } } }
`,
    remedy: 'Describe the query with query parameters.',
  },
})
