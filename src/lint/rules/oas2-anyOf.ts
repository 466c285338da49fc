import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'anyOf is not of OpenAPI 2.0.',
  message: '"anyOf" is not a keyword of OpenAPI 2.0; it came with 3.0.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..anyOf'],
  then: [{ run: absent }],
})
