import truthy from '../functions/truthy.ts'
import { operationsPath } from '../rulesets/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has an operationId.',
  message: 'Operation must have "operationId".',
  severity: 'warning',
  given: [operationsPath],
  then: [{ field: 'operationId', run: truthy }],
  formats: ['oas2', 'oas3'],
})
