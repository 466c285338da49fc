import { checkRefSiblings } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Before draft 2019-09, $ref has no sibling keywords.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkRefSiblings) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/structuring#dollarref',
  help: {
    why: 'Up to draft 7, keywords next to "$ref" are ignored.',
    bad: `
$schema: http://json-schema.org/draft-07/schema#
$ref: '#/definitions/A'
maxLength: 5
definitions: { A: {} }
`,
    good: `
$schema: http://json-schema.org/draft-07/schema#
allOf: [{ $ref: '#/definitions/A' }]
maxLength: 5
definitions: { A: {} }
`,
    remedy: 'Move the reference into allOf, or remove the sibling keywords.',
  },
})
