import { dependencies } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'dependsOn names workflows of this document or of an Arazzo source.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: dependencies }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'A workflow that depends on a missing workflow never starts.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    dependsOn: [login]
    steps:
      - stepId: pay
        operationId: pay
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: [{ workflowId: login }, { workflowId: order, dependsOn: [login] }]
`,
    remedy: 'Use an existing workflowId, or $sourceDescriptions.SOURCE.WORKFLOW for one of a source.',
  },
})
