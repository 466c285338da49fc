import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Examples of responses are valid against their schema.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2'],
  given: ['$..responses..[?(@ && @.schema && @.examples)]'],
  then: [{ run: examples, options: { schemaField: 'schema', oasVersion: 2, type: 'media' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#example-object',
  help: {
    why: 'Readers and mock servers copy examples; an invalid one misleads both.',
    bad: `
swagger: "2.0"
paths:
  /pets:
    get:
      responses:
        '200': { schema: { type: integer }, examples: { application/json: many } }
`,
    good: `
swagger: "2.0"
paths:
  /pets:
    get:
      responses:
        '200': { schema: { type: integer }, examples: { application/json: 3 } }
`,
    remedy: 'Correct the example or the schema.',
  },
})
