import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A path carries no query.',
  message: 'Path must not include query string.',
  severity: 'warning',
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '\\?' } }],
  formats: ['oas2', 'oas3'],
})
