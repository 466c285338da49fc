import { checkDependent } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Keywords that depend on another keyword are used together with it.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkDependent) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/conditionals',
  help: {
    why: 'Without the other keyword they have no effect.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
then: { required: [a] }
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
if: { required: [b] }
then: { required: [a] }
`,
    remedy: 'Add the missing keyword, or remove this one.',
  },
})
