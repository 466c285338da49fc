import { operationsExist } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The operation that a step calls is in the document that it names.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: operationsExist }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'The workflow stops at a step whose operation was renamed or removed.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: payOrder
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
`,
    remedy: 'Correct the operationId or the operationPath; where several sources have the id, name one.',
    beside: {
      'shop.yaml': `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders/{id}/payment:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      operationId: pay
      responses: { '204': { description: paid } }
`,
    },
  },
})
