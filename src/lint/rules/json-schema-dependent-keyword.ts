import { checkDependent } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Keywords that need another stand beside it.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkDependent) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/conditionals',
  help: {
    why: 'Without the other keyword they do nothing.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
then: { required: [a] }
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
if: { required: [b] }
then: { required: [a] }
`,
    remedy: 'Add the keyword that is missing, or take this one out.',
  },
})
