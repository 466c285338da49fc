import { checkFormat } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Formats are spelled as validators know them.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkFormat) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/type#format',
  help: {
    why: 'An unknown format passes everything.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
format: datetime
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
format: date-time
`,
    remedy: 'Write the name of the format as the specification has it.',
  },
})
