import { noCycles } from '../workflows/flow.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Workflows do not depend on or call themselves, directly or through others.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: noCycles }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#workflow-object',
  help: {
    why: 'A workflow that waits for itself never starts, and one that calls itself never ends.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: [{ workflowId: a, dependsOn: [b] }, { workflowId: b, dependsOn: [a] }]
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows: [{ workflowId: a, dependsOn: [b] }, { workflowId: b }]
`,
    remedy: 'Remove one of the dependencies or calls in the cycle.',
  },
})
