import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document has the structure of Arazzo 1.0.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#schema',
  help: {
    why: 'A tool that runs workflows refuses a document that it cannot read.',
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
    remedy: 'Write what the message names; the specification lists the fields of every object.',
  },
})
