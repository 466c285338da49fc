import { stepParameters } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  description:
    'Parameters of a step are unique, say where they go where an operation is called, and take their values from somewhere.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: stepParameters }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#parameter-object',
  help: {
    why: 'A parameter without a place cannot be sent; of two with one name either is.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
        parameters: [{ name: id, value: 1 }]
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
        parameters: [{ name: id, in: path, value: 1 }]
`,
    remedy: 'Write "in" for operations and leave it out for workflows; give each parameter once.',
  },
})
