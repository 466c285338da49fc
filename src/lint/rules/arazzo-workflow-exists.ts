import { workflowsExist } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Steps call workflows that exist in the document they name.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: workflowsExist }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'The workflow fails at a step whose workflow does not exist.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        workflowId: paying
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: [{ workflowId: pay }, { workflowId: order, steps: [{ stepId: one, workflowId: pay }] }]
`,
    remedy: 'Correct the workflowId.',
  },
})
