import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The workflowId contains only letters, digits, "-" and "_".',
  message: 'Workflow "workflowId" should follow the pattern "^[A-Za-z0-9_\\-]+$".',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$.workflows[*]'],
  then: [{ field: 'workflowId', run: pattern, options: { match: '^[A-Za-z0-9_\\-]+$' } }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'Runtime expressions cannot refer to any other id.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: my order
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
    steps:
      - stepId: pay
        operationId: pay
`,
    remedy: 'Rename the workflow.',
  },
})
