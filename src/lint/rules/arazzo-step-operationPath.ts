import { replaceBySuggested } from '../fix/fixers.ts'
import { operationPaths } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Steps identify operations by operationId, not by operationPath.',
  message: '{{error}}',
  severity: 'hint',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: operationPaths }],
  fix: replaceBySuggested('operationId'),
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'An operationPath breaks when the path changes; an operationId is more stable.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationPath: '{$sourceDescriptions.shop.url}#/paths/~1pay/post'
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
    remedy: 'Add an operationId to the operation and use it in the step.',
  },
})
