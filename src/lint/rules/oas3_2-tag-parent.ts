import { tagParents } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The parent of a tag is a tag of the document, and no tag is above itself.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$.tags'],
  then: [{ run: tagParents }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#tag-object',
  help: {
    why: 'Documentation is built along the tree of tags: a branch without a root is lost.',
    bad: `
openapi: 3.2.0
tags: [{ name: cats, parent: pets }]
`,
    good: `
openapi: 3.2.0
tags: [{ name: pets }, { name: cats, parent: pets }]
`,
    remedy: 'Define the parent, or correct its name.',
  },
})
