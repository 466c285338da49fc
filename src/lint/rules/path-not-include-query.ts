import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No path holds a query.',
  message: 'Path must not include query string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '\\?' } }],
})
