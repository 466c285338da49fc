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
})
