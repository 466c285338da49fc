import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The id of a workflow has letters, digits, "-" and "_" alone.',
  message: 'Workflow "workflowId" should follow the pattern "^[A-Za-z0-9_\\-]+$".',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$.workflows[*]'],
  then: [{ field: 'workflowId', run: pattern, options: { match: '^[A-Za-z0-9_\\-]+$' } }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'Expressions cannot name any other id.',
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
    remedy: 'Rename it.',
  },
})
