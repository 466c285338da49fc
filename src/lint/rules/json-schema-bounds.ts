import { checkBounds } from '../schemas/bounds.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Lower bounds do not exceed upper bounds.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkBounds) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/numeric#range',
  help: {
    why: 'If a lower bound does, no value is valid.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: integer
minimum: 10
maximum: 1
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: integer
minimum: 1
maximum: 10
`,
    remedy: 'Swap or correct the bounds.',
  },
})
