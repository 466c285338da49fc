import { wholeQuery } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'One parameter at most takes the whole query, and then no other a part of it.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3_2'],
  given: ['$.paths[*].parameters', '$.paths[*][*].parameters'],
  then: [{ run: wholeQuery }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#parameter-locations',
  help: {
    why: 'A client cannot write the query twice.',
    bad: `
openapi: 3.2.0
paths: { /pets: { get: { parameters: [{ name: q, in: querystring }, { name: limit, in: query }] } } }
`,
    good: `
openapi: 3.2.0
paths: { /pets: { get: { parameters: [{ name: q, in: querystring }] } } }
`,
    remedy: 'Describe the query as a whole, or by its parts.',
  },
})
