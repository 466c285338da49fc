import defined from '../functions/defined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A schema of type array says what its items are.',
  message: 'Schemas with "type: array", require a sibling "items" field.',
  severity: 'error',
  given: ['$..[?(@ && @.type === "array")]'],
  then: [{ field: 'items', run: defined }],
  formats: ['oas2', 'oas3_0'],
})
