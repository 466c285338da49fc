import uniqueOperationIds from '../oas/unique-operation-ids.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operationId is unique.',
  message: 'Every operation must have unique "operationId".',
  severity: 'error',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ run: uniqueOperationIds }],
})
