import { sourcesAvailable } from '../workflows/sources.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every source is at hand and of the type that it is said to be.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$'],
  then: [{ run: sourcesAvailable }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#source-description-object',
  help: {
    why: 'What steps take from a source that cannot be read is not checked.',
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
    remedy: 'Lint a copy beside which the sources lie under the names that it gives them.',
  },
})
