import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A path does not end in a slash.',
  message: 'Path must not end with slash.',
  severity: 'warning',
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '.+/$' } }],
  formats: ['oas2', 'oas3'],
})
