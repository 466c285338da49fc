import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document is valid Arazzo 1.0 or 1.1.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#schema',
  help: {
    why: 'Tools that run workflows reject a document they cannot read.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: []
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
    remedy: 'Correct the property that the message names.',
  },
})
