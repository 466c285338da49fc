import { checkPatterns } from '../schemas/patterns.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Regular expressions are valid.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkPatterns) }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/regular_expressions',
  help: {
    why: 'Validators fail on an invalid pattern, some when they load the schema, others at the first value.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
pattern: '[a-'
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
pattern: '[a-z]'
`,
    remedy: 'Correct the regular expression; it must be valid ECMAScript.',
  },
})
