import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The document is a valid JSON Schema of its draft.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['json-schema'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference',
  help: {
    why: 'Validators reject an invalid schema or interpret it differently.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: text
required: name
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
`,
    remedy: 'Correct the value of the keyword as the message describes.',
  },
})
