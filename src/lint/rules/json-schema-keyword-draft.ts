import { checkDraft } from '../schemas/keywords.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every keyword belongs to the draft that $schema declares.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkDraft) }],
  documentationUrl: 'https://json-schema.org/draft/2020-12/release-notes',
  help: {
    why: 'Validators ignore keywords of other drafts, so their constraints are never checked.',
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
    remedy: 'Use the keyword of this draft instead, or declare another draft in "$schema".',
  },
})
