import { checkRequired } from '../schemas/required.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Required properties are declared in properties.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkRequired) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/object#required',
  help: {
    why: 'A required property without a declaration is usually misspelled, or was removed from "properties" only.',
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
    remedy: 'Declare the property, or correct its name.',
  },
})
