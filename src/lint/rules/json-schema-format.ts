import { checkFormat } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Values of "format" are formats that validators know.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkFormat) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/type#format',
  help: {
    why: 'An unknown format is not checked.',
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
    remedy: 'Use the name of the format in the specification, such as date-time.',
  },
})
