import { valuesExist } from '../workflows/flow.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Runtime expressions refer to inputs that exist and to outputs that earlier steps have.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: valuesExist }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#runtime-expressions',
  help: {
    why: 'Otherwise the value is missing when the workflow runs.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
      - stepId: ship
        operationId: ship
        requestBody: { payload: { receipt: $steps.pay.outputs.id } }
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
        outputs: { id: '$response.body#/id' }
      - stepId: ship
        operationId: ship
        requestBody: { payload: { receipt: $steps.pay.outputs.id } }
`,
    remedy: 'Declare the input or output, or correct its name; use outputs of earlier steps only.',
  },
})
