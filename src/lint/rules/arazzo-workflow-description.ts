import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every workflow has a description.',
  message: 'Workflow "description" should be present and non-empty string.',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$.workflows[*]'],
  then: [{ field: 'description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'Readers use it to choose a workflow and to check its results.',
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
    description: Places an order.
    steps:
      - stepId: pay
        operationId: pay
`,
    remedy: 'Add a description to the workflow in one or two sentences.',
  },
})
