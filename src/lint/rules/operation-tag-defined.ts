import tagsDefined from '../oas/tags-defined.ts'
import { defineTag, visibly } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Tags of operations are defined in the global tags.',
  message: 'Operation tags must be defined in global tags.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ run: tagsDefined }],
  fix: visibly('non-breaking', defineTag),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'An undefined tag is usually misspelled, and it has no description.',
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
    remedy: 'Define the tag in the global "tags", or correct its name.',
  },
})
