import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every workflow has a summary.',
  message: 'Workflow "summary" should be present and non-empty string.',
  severity: 'hint',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$.workflows[*]'],
  then: [{ field: 'summary', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'Lists of workflows show it.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: pay, operationId: pay }
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    summary: Places an order.
    steps:
      - stepId: pay
        operationId: pay
`,
    remedy: 'Add a summary to the workflow in one sentence.',
  },
})
