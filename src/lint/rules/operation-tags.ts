import truthy from '../functions/truthy.ts'
import { operationsPath } from '../rulesets/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has at least one tag.',
  message: 'Operation must have non-empty "tags" array.',
  severity: 'warning',
  given: [operationsPath],
  then: [{ field: 'tags', run: truthy }],
  formats: ['oas2', 'oas3'],
})
