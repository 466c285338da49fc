import or from '../functions/or.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The document has a title or a description.',
  message: 'The schema has neither a title nor a description.',
  severity: 'info',
  resolved: false,
  formats: ['json-schema'],
  given: ['$'],
  then: [{ run: or, options: { properties: ['title', 'description'] } }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/annotations',
  help: {
    why: 'Catalogues and generated documentation show it.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: object
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
title: An order
type: object
`,
    remedy: 'Add a title that names what the schema describes.',
  },
})
