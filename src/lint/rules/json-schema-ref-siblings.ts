import { checkRefSiblings } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Nothing stands beside $ref before 2019-09.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkRefSiblings) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/structuring#dollarref',
  help: {
    why: 'Up to draft 7 whatever stands beside "$ref" is passed over.',
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
    remedy: 'Put the reference into allOf, or take out what stands beside it.',
  },
})
