import truthy from '../functions/truthy.ts'
import { operationsPath } from '../rulesets/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has a summary.',
  message: 'Operation should have a "summary": lists and search show it.',
  severity: 'info',
  given: [operationsPath],
  then: [{ field: 'summary', run: truthy }],
  formats: ['oas2', 'oas3'],
})
