import { renameToSuggested } from '../fix/fixers.ts'
import { checkKnown } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every keyword is one of JSON Schema.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkKnown) }],
  fix: renameToSuggested,
  documentationUrl: 'https://json-schema.org/understanding-json-schema/keywords',
  help: {
    why: 'A word that is no keyword changes nothing: a mistyped bound lets everything pass.',
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
    remedy: 'Correct the keyword; a word of your own begins with "x-".',
  },
})
