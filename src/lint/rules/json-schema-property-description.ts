import { checkPropertyDescriptions } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Properties have descriptions.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  recommended: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkPropertyDescriptions) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/annotations',
  help: {
    why: 'The name alone rarely explains the meaning and the unit of a value.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
properties: { age: { type: integer } }
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
properties: { age: { type: integer, description: Age in whole years. } }
`,
    remedy: 'Add a description to the property.',
  },
})
