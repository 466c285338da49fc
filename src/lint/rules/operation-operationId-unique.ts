import uniqueOperationIds from '../functions/unique-operation-ids.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operationId stands once in the document.',
  message: 'operationId must be unique.',
  severity: 'error',
  given: ['$'],
  then: [{ run: uniqueOperationIds }],
  formats: ['oas2', 'oas3'],
})
