import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A server URL does not end in a slash.',
  message: 'Server URL must not have trailing slash.',
  severity: 'warning',
  given: ['$.servers[*]', '$.paths[*].servers[*]', '$.paths[*][*].servers[*]'],
  then: [{ field: 'url', run: pattern, options: { notMatch: './$' } }],
  formats: ['oas3'],
})
