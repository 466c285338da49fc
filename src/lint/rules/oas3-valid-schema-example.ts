import examples from '../oas/examples.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Examples and defaults are valid against their schema.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3'],
  given: [
    "$.components.schemas..[?(@property !== 'properties' && @ && (@.example !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..content..[?(@property !== 'properties' && @ && (@.example !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..headers..[?(@property !== 'properties' && @ && (@.example !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
    "$..parameters..[?(@property !== 'properties' && @ && (@.example !== void 0 || @.default !== void 0) && (@.enum || @.type || @.format || @.$ref || @.properties || @.items))]",
  ],
  then: [{ run: examples, options: { schemaField: '$', oasVersion: 3, type: 'schema' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#schema-object',
  help: {
    why: 'Readers and mock servers copy examples; an invalid one misleads both.',
    bad: `
openapi: 3.0.3
components: { schemas: { Age: { type: integer, example: old } } }
`,
    good: `
openapi: 3.0.3
components: { schemas: { Age: { type: integer, example: 3 } } }
`,
    remedy: 'Correct the example, the default or the schema.',
  },
})
