import { successCriteria } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Success criteria have a condition, and a context if their type requires one.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$.workflows[*]'],
  then: [{ run: successCriteria }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#criterion-object',
  help: {
    why: 'A criterion that cannot be evaluated fails the step or passes it by accident.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
        successCriteria: [{ type: regex, condition: '^200$' }]
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
        successCriteria: [{ context: $statusCode, type: regex, condition: '^200$' }]
`,
    remedy: 'Add the condition, and the context that it is evaluated on.',
  },
})
