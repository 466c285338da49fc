import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A path has no empty template.',
  message: 'Path parameter declarations must not be empty, ex."/given/{}" is invalid.',
  severity: 'warning',
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '{}' } }],
  formats: ['oas2', 'oas3'],
})
