import { stepParameters } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Parameters of a step are unique, have "in" when the step calls an operation, and have a valid value.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: stepParameters }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#parameter-object',
  help: {
    why: 'A parameter without "in" cannot be sent, and of two parameters with the same name, either may be used.',
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
    remedy: 'Add "in" for operations, remove it for workflows, and list each parameter once.',
  },
})
