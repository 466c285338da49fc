import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every tag has a description.',
  message: 'Tag object must have "description".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$.tags[*]'],
  then: [{ field: 'description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#tag-object',
  help: {
    why: 'Readers use it to find the right group of operations.',
    bad: `
openapi: 3.1.0
tags: [{ name: pets }]
`,
    good: `
openapi: 3.1.0
tags: [{ name: pets, description: Everything about pets. }]
`,
    remedy: 'Add a description of what the operations of the tag have in common.',
  },
})
