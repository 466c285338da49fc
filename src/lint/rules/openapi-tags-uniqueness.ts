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
})
