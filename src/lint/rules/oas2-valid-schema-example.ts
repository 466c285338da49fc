import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Examples and defaults are valid against their schema.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2'],
  given: [
    "$..definitions..[?(@property !== 'properties' && @ && (@.example !== void 0 || @['x-example'] !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..parameters..[?(@property !== 'properties' && @ && (@.example !== void 0 || @['x-example'] !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..responses..[?(@property !== 'properties' && @ && (@.example !== void 0 || @['x-example'] !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
  ],
  then: [{ run: examples, options: { schemaField: '$', oasVersion: 2, type: 'schema' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#schema-object',
  help: {
    why: 'Readers and mock servers copy examples; an invalid one misleads both.',
    bad: `
swagger: "2.0"
definitions: { Age: { type: integer, example: old } }
`,
    good: `
swagger: "2.0"
definitions: { Age: { type: integer, example: 3 } }
`,
    remedy: 'Correct the example, the default or the schema.',
  },
})
