import tagsDefined from '../oas/tags-defined.ts'
import { defineTag } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The tags of operations are defined in the tags of the document.',
  message: 'Operation tags must be defined in global tags.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ run: tagsDefined }],
  fix: defineTag,
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'A tag that is not defined is mostly mistyped, and has no description.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      tags: [pest]
tags: [{ name: pets }]
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      tags: [pets]
tags: [{ name: pets }]
`,
    remedy: 'Define the tag, or correct its name.',
  },
})
