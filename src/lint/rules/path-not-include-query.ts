import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No path holds a query.',
  message: 'Path must not include query string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '\\?' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#paths-object',
  help: {
    why: 'A query in a path matches no request; tools drop it.',
    bad: `
openapi: 3.1.0
paths: { "/pets?kind=cat": {} }
`,
    good: `
openapi: 3.1.0
paths: { /pets: { get: { parameters: [{ name: kind, in: query }] } } }
`,
    remedy: 'Describe it as parameters in query.',
  },
})
