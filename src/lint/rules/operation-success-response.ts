import successResponse from '../functions/success-response.ts'
import { operationsPath } from '../rulesets/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation declares a success or a redirection.',
  message: 'Operation must have at least a single "2xx" or "3xx" response.',
  severity: 'warning',
  given: [operationsPath],
  then: [{ field: 'responses', run: successResponse }],
  formats: ['oas2', 'oas3'],
})
