import { uniqueWorkflowIds } from '../workflows/checks.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every workflowId is unique.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: uniqueWorkflowIds }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'Other workflows refer to a workflow by its id.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: [{ workflowId: order }, { workflowId: order }]
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: [{ workflowId: order }, { workflowId: refund }]
`,
    remedy: 'Rename one of the workflows.',
  },
})
