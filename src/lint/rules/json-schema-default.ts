import { checkDefault } from '../schemas/values.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Defaults are valid against their schema.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkDefault) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/annotations',
  help: {
    why: 'A consumer that applies an invalid default gets a value that is rejected.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: integer
default: many
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: integer
default: 3
`,
    remedy: 'Correct the default or the schema.',
  },
})
