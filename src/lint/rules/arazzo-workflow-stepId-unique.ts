import { uniqueStepIds } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every stepId is unique within its workflow.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$.workflows[*]'],
  then: [{ run: uniqueStepIds }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'Later steps refer to outputs by the stepId.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
      - stepId: pay
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
      - stepId: ship
`,
    remedy: 'Rename one of the steps.',
  },
})
