import { checkExamples } from '../schemas/values.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Examples are valid against their schema.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkExamples) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/annotations',
  help: {
    why: 'Readers and tools copy examples; an invalid one misleads both.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: integer
examples: [many]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: integer
examples: [3]
`,
    remedy: 'Correct the example or the schema.',
  },
})
