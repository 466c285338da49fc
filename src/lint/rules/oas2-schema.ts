import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document has the structure of OpenAPI 2.0.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas2'],
  given: ['$'],
  then: [{ run: structure }],
})
