import { checkMisplaced } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Keywords apply to the declared type.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkMisplaced) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/type',
  help: {
    why: 'A keyword for another type, such as maxLength for a number, has no effect.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: number
maxLength: 5
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
maxLength: 5
`,
    remedy: 'Correct the type or the keyword.',
  },
})
