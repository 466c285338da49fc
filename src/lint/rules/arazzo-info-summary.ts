import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The info object has a summary.',
  message: 'Info "summary" should be present and non-empty string.',
  severity: 'hint',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ field: 'info.summary', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#info-object',
  help: {
    why: 'Lists of workflow documents show it.',
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
info: { title: Orders, version: 1.0.0, summary: Ordering. }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: pay, operationId: pay }
`,
    remedy: 'Add info.summary in one sentence.',
  },
})
