import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The info object has a description.',
  message: 'Info "description" should be present and non-empty string.',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ field: 'info.description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#info-object',
  help: {
    why: 'Readers use it to choose a workflow document and to check its results.',
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
info: { title: Orders, version: 1.0.0, description: Ordering. }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: pay, operationId: pay }
`,
    remedy: 'Add info.description in one or two sentences.',
  },
})
