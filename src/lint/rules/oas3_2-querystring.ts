import { wholeQuery } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'An operation has at most one querystring parameter, and no query parameters beside it.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3_2'],
  given: ['$.paths[*].parameters', '$.paths[*][*].parameters'],
  then: [{ run: wholeQuery }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#parameter-locations',
  help: {
    why: 'A querystring parameter describes the whole query, so it conflicts with every other query parameter.',
    bad: `
openapi: 3.2.0
paths: { /pets: { get: { parameters: [{ name: q, in: querystring }, { name: limit, in: query }] } } }
`,
    good: `
openapi: 3.2.0
paths: { /pets: { get: { parameters: [{ name: q, in: querystring }] } } }
`,
    remedy: 'Describe the query with one querystring parameter, or with query parameters only.',
  },
})
