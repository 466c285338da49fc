import { checkDraft } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every keyword belongs to the draft that $schema names.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkDraft) }],
  documentationUrl: 'https://json-schema.org/draft/2020-12/release-notes',
  help: {
    why: 'A validator passes over keywords of other drafts: what they ask for is never checked.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: array
additionalItems: false
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: array
items: false
`,
    remedy: 'Write what the draft has in its place, or name the draft that is meant in "$schema".',
  },
})
