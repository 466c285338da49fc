import { stepTargets } from '../workflows/targets.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'A step refers to an operation or workflow of a declared source description.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: stepTargets }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'A step that calls nothing cannot run.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: $sourceDescriptions.bank.pay
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: $sourceDescriptions.shop.pay
`,
    remedy: 'Use a name from sourceDescriptions; write an operationPath as {$sourceDescriptions.NAME.url}#POINTER.',
  },
})
