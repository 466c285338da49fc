import { addSuggested } from '../fix/fixers.ts'
import { sourceTypes } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every source description has a type.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: sourceTypes }],
  fix: addSuggested,
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#source-description-object',
  help: {
    why: 'Without a type, a tool must fetch the source to find out what it is.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml }]
workflows:
  - workflowId: order
    steps:
      - { stepId: pay, operationId: pay }
`,
    good: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: pay, operationId: pay }
`,
    remedy: 'Add type: openapi or type: arazzo.',
  },
})
