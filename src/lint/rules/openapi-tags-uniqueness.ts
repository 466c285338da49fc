import uniqueTags from '../oas/unique-tags.ts'
import { removeTag } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Names of tags are unique.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2', 'oas3'],
  given: ['$.tags'],
  then: [{ run: uniqueTags }],
  fix: removeTag,
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#tag-object',
  help: {
    why: 'If two tags have the same name, it is unclear which description applies.',
    bad: `
openapi: 3.1.0
tags: [{ name: pets }, { name: pets }]
`,
    good: `
openapi: 3.1.0
tags: [{ name: pets }, { name: owners }]
`,
    remedy: 'Remove one of the tags.',
  },
})
