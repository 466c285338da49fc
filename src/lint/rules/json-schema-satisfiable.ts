import { checkSatisfiable } from '../schemas/satisfiable.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'At least one value is valid against every schema.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkSatisfiable) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/combining#allof',
  help: {
    why: 'A schema that contradicts itself rejects every value.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
allOf: [{ type: string }, { type: number }]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
anyOf: [{ type: string }, { type: number }]
`,
    remedy: 'Find the keywords that contradict each other and correct one; write false if no value is allowed.',
  },
})
