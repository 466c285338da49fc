import { checkEnumType } from '../schemas/values.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Values of enum and const have the declared type.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkEnumType) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/enum',
  help: {
    why: 'A value of another type is never valid.',
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
