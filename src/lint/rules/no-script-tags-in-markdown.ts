import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Texts hold no script element.',
  message: 'Markdown descriptions must not have "<script>" tags.',
  severity: 'warning',
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: '/<script/i' } }],
  formats: ['oas2', 'oas3'],
})
