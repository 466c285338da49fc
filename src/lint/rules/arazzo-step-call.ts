import { callsFit } from '../workflows/calls.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Steps pass all required parameters and bodies to the operation they call, and no unknown ones.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: callsFit }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'The API rejects a request without a required value and ignores unknown parameters.',
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
    remedy: 'Add the missing parameters or body, or correct the name and "in" of the parameter.',
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
