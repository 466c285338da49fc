import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No description or title holds a call of eval.',
  message: 'Markdown descriptions must not have "eval(".',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: 'eval\\(' } }],
})
