import { namedDraft } from '../schemas/keywords.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The document declares its draft in $schema.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['json-schema'],
  given: ['$'],
  then: [{ run: namedDraft }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/schema#schema',
  help: {
    why: 'Keywords differ between drafts; without "$schema" each tool assumes its own draft.',
    bad: `
type: object
properties: {}
required: []
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
type: object
`,
    remedy: 'Add "$schema" with the URI of the draft.',
  },
})
