import { successActions } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Success actions of a step have unique names, and each goto names one existing step or workflow.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: successActions }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#success-action-object',
  help: {
    why: 'A workflow that continues at a missing step stops in the middle.',
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
    remedy: 'In actions of type goto, set either stepId or workflowId to one that exists.',
  },
})
