import { writeSuggested } from '../fix/fixers.ts'
import { operationSources } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Steps name the source of their operation where several sources describe operations.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$'],
  then: [{ run: operationSources }],
  fix: writeSuggested,
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.1.0.html#step-object',
  help: {
    why: 'Tools that run the workflow choose a source by themselves, and the step changes its meaning when another source gets an operation of this name.',
    bad: `
arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions:
  - { name: shop, url: ./shop.yaml, type: openapi }
  - { name: events, url: ./events.yaml, type: asyncapi }
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
`,
    good: `
arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions:
  - { name: shop, url: ./shop.yaml, type: openapi }
  - { name: events, url: ./events.yaml, type: asyncapi }
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: $sourceDescriptions.shop.pay
`,
    remedy: 'Write $sourceDescriptions.NAME.OPERATION with the name of the source.',
  },
})
