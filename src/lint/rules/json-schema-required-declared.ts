import { checkRequired } from '../schemas/required.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'What is required is declared among the properties.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkRequired) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/object#required',
  help: {
    why: 'A name that is required and not declared is mostly mistyped, or was taken out of the properties alone.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: object
properties: { name: {} }
required: [nmae]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: object
properties: { name: {} }
required: [name]
`,
    remedy: 'Declare the property, or correct the name.',
  },
})
