import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document is a valid JSON Schema of its draft.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['json-schema'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference',
  help: {
    why: 'A validator refuses a schema that is none, or reads something else into it.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: text
required: name
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
`,
    remedy: 'Write what the keyword takes; the message says what that is.',
  },
})
