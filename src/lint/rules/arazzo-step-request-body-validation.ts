import { requestBodies } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Request bodies of steps have a media type and valid runtime expressions.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: requestBodies }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#request-body-object',
  help: {
    why: 'Otherwise the request cannot be built.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
        requestBody: { contentType: json }
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
        requestBody: { contentType: application/json }
`,
    remedy: 'Use a complete media type, and values from inputs and steps that exist.',
  },
})
