import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The host is not example.com.',
  message: 'Host URL must not point at example.com.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: pattern, options: { notMatch: 'example\\.com' } }],
})
