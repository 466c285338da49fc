import { operationsExist } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Steps call operations that exist in the source description they name.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: operationsExist }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'The workflow fails at a step whose operation was renamed or removed.',
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
    remedy: 'Correct the operationId or operationPath; if several sources define the operationId, name the source too.',
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
