import { successActions } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  description:
    'What follows the success of a step has a name of its own and leads to one step or workflow that is there.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: successActions }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#success-action-object',
  help: {
    why: 'A workflow that goes nowhere stops in the middle.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
        onSuccess: [{ name: on, type: goto, stepId: nowhere }]
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
        onSuccess: [{ name: on, type: goto, stepId: pay }]
`,
    remedy: 'Name a step of the same workflow, or a workflow, not both, in actions of the type goto.',
  },
})
