import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No server is example.com.',
  message: 'Server URL must not point at example.com.',
  severity: 'warning',
  recommended: false,
  formats: ['oas3'],
  given: ['$.servers[*].url'],
  then: [{ run: pattern, options: { notMatch: 'example\\.com' } }],
})
