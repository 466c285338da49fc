import { tagParents } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The parent of a tag is a defined tag, and the hierarchy has no cycle.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$.tags'],
  then: [{ run: tagParents }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#tag-object',
  help: {
    why: 'Documentation is organized by the tag hierarchy; a tag whose parent does not exist is lost.',
    bad: `
openapi: 3.2.0
tags: [{ name: cats, parent: pets }]
`,
    good: `
openapi: 3.2.0
tags: [{ name: pets }, { name: cats, parent: pets }]
`,
    remedy: 'Define the parent tag, or correct its name.',
  },
})
