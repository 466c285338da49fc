import { checkEnumType } from '../schemas/values.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Enums and constants are of the type beside them.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkEnumType) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/enum',
  help: {
    why: 'A value of another type can never pass.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
enum: [a, 1]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
enum: [a, b]
`,
    remedy: 'Correct the value or the type.',
  },
})
