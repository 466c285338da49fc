import { stepTargets } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A step names its operation or workflow in a source that the document describes.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0'],
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
    remedy: 'Name a source of sourceDescriptions; write operationPath as {$sourceDescriptions.NAME.url}#POINTER.',
  },
})
