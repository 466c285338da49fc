import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Examples of responses fit their schema.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2'],
  given: ['$..responses..[?(@ && @.schema && @.examples)]'],
  then: [{ run: examples, options: { schemaField: 'schema', oasVersion: 2, type: 'media' } }],
})
