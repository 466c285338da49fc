import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Examples of media types, parameters and headers are valid against their schema.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3'],
  given: [
    '$..content..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
    '$..headers..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
    '$..parameters..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
  ],
  then: [{ run: examples, options: { schemaField: 'schema', oasVersion: 3, type: 'media' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#media-type-object',
  help: {
    why: 'Readers and mock servers copy examples; an invalid one misleads both.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      requestBody: { content: { application/json: { schema: { type: integer }, example: many } } }
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      requestBody: { content: { application/json: { schema: { type: integer }, example: 3 } } }
`,
    remedy: 'Correct the example or the schema.',
  },
})
