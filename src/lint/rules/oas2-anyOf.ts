import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'anyOf is not of OpenAPI 2.0.',
  message: '"anyOf" keyword must not be used in OpenAPI v2 document.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..anyOf'],
  then: [{ run: absent }],
})
