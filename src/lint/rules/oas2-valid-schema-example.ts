import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Examples and defaults of schemas fit them.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2'],
  given: [
    "$..definitions..[?(@property !== 'properties' && @ && (@.example !== void 0 || @['x-example'] !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..parameters..[?(@property !== 'properties' && @ && (@.example !== void 0 || @['x-example'] !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..responses..[?(@property !== 'properties' && @ && (@.example !== void 0 || @['x-example'] !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
  ],
  then: [{ run: examples, options: { schemaField: '$', oasVersion: 2, type: 'schema' } }],
})
