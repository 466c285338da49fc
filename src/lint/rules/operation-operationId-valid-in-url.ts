import pattern from '../functions/pattern.ts'
import { operationsPath } from '../rulesets/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'An operationId can stand in a URL as it is.',
  message: 'operationId must not have characters that are invalid when used in URL.',
  severity: 'warning',
  given: [operationsPath],
  then: [{ field: 'operationId', run: pattern, options: { match: "^[A-Za-z0-9-._~:/?#\\[\\]@!\\$&'()*+,;=]*$" } }],
  formats: ['oas2', 'oas3'],
})
