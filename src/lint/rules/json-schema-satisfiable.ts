import { checkSatisfiable } from '../schemas/satisfiable.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Some value fits every schema: no keywords contradict each other.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkSatisfiable) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/combining#allof',
  help: {
    why: 'Nothing passes such a schema: whatever uses it always fails.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
allOf: [{ type: string }, { type: number }]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
anyOf: [{ type: string }, { type: number }]
`,
    remedy: 'Look for the two keywords that cannot both hold; false says "nothing" where that is meant.',
  },
})
