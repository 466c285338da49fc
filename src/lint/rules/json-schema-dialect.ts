import { namedDraft } from '../schemas/keywords.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document names its draft in $schema.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['json-schema'],
  given: ['$'],
  then: [{ run: namedDraft }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/schema#schema',
  help: {
    why: 'Drafts give the same words different meanings; without "$schema" each tool assumes its own.',
    bad: `
type: object
properties: {}
required: []
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: object
`,
    remedy: 'Write $schema with the address of the draft.',
  },
})
