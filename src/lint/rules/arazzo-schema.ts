import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document has the structure of Arazzo 1.0.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: structure }],
})
