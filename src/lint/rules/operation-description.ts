import truthy from '../functions/truthy.ts'
import { operationsPath } from '../rulesets/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has a description.',
  message: 'Operation "description" must be present and non-empty string.',
  severity: 'warning',
  given: [operationsPath],
  then: [{ field: 'description', run: truthy }],
  formats: ['oas2', 'oas3'],
})
