import { workflowOutputs } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description:
    'Names of workflow outputs use letters, digits, ".", "-" and "_", and their values are runtime expressions.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: workflowOutputs }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'An output whose value is not an expression is never set.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    outputs: { receipt: id }
    steps:
      - stepId: pay
        operationId: pay
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    outputs: { receipt: $steps.pay.outputs.id }
    steps:
      - stepId: pay
        operationId: pay
`,
    remedy: 'Use an expression such as $steps.STEP.outputs.NAME.',
  },
})
