import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Texts call no eval.',
  message: 'Markdown descriptions must not have "eval(".',
  severity: 'warning',
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: 'eval\\(' } }],
  formats: ['oas2', 'oas3'],
})
