import uniqueTags from '../oas/unique-tags.ts'
import { removeTag } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every tag has a name of its own.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2', 'oas3'],
  given: ['$.tags'],
  then: [{ run: uniqueTags }],
  fix: removeTag,
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#tag-object',
  help: {
    why: 'Of two tags with one name nobody knows whose description holds.',
    bad: `
openapi: 3.1.0
tags: [{ name: pets }, { name: pets }]
`,
    good: `
openapi: 3.1.0
tags: [{ name: pets }, { name: owners }]
`,
    remedy: 'Take one of them out.',
  },
})
