import { callsFit } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A step gives the operation that it calls what that asks for, and nothing that it does not know.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: callsFit }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'The service refuses a request without what it requires, and passes over what it does not know.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
        parameters: [{ name: order, in: path, value: $inputs.id }]
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
        parameters: [{ name: id, in: path, value: $inputs.id }]
`,
    remedy: 'Give every required parameter and body; correct the names of parameters, and their places.',
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
