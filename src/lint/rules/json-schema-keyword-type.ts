import { checkMisplaced } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Keywords stand beside the type that they are about.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkMisplaced) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/type',
  help: {
    why: 'A bound of texts beside the type number is never looked at.',
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
