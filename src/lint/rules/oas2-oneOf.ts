import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'oneOf is not of OpenAPI 2.0.',
  message: '"oneOf" keyword must not be used in OpenAPI v2 document.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$..oneOf'],
  then: [{ run: absent }],
})
