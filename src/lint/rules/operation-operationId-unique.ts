import uniqueOperationIds from '../oas/unique-operation-ids.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every operationId is unique.',
  message: 'Every operation must have unique "operationId".',
  severity: 'error',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ run: uniqueOperationIds }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'Code generators create one function per operationId, so duplicates conflict.',
    bad: `
openapi: 3.1.0
paths:
  /pets: { get: { operationId: list }, post: { operationId: list } }
`,
    good: `
openapi: 3.1.0
paths:
  /pets: { get: { operationId: list }, post: { operationId: create } }
`,
    remedy: 'Rename one of the operations.',
  },
})
