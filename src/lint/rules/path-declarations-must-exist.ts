import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every parameter in a path template has a name.',
  message: 'Path parameter declarations must not be empty, ex."/given/{}" is invalid.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '{}' } }],
})
