import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Examples of media types, parameters and headers fit their schema.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3'],
  given: [
    '$..content..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
    '$..headers..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
    '$..parameters..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
  ],
  then: [{ run: examples, options: { schemaField: 'schema', oasVersion: 3, type: 'media' } }],
})
