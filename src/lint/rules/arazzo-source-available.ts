import { sourcesAvailable } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every source description can be read and has the declared type.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: sourcesAvailable }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#source-description-object',
  help: {
    why: 'Steps that use a source that cannot be read are not checked.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: []
workflows: []
`,
    remedy: 'Place the source files next to the document, at the paths in its sourceDescriptions.',
  },
})
