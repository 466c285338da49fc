import { renameToSuggested } from '../fix/fixers.ts'
import { checkKnown } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every keyword is defined by JSON Schema.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkKnown) }],
  fix: renameToSuggested,
  documentationUrl: 'https://json-schema.org/understanding-json-schema/keywords',
  help: {
    why: 'An unknown keyword has no effect, so a misspelled constraint is never checked.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
maxLenght: 5
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
maxLength: 5
`,
    remedy: 'Correct the keyword, or prefix your own keywords with "x-".',
  },
})
