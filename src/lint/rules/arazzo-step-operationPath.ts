import falsy from '../functions/falsy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Steps name operations by their ids, not by their places.',
  message: 'It is recommended to use "operationId" rather than "operationPath".',
  severity: 'hint',
  resolved: false,
  formats: ['arazzo1_0'],
  given: ['$.workflows[*].steps[*]'],
  then: [{ field: 'operationPath', run: falsy }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#step-object',
  help: {
    why: 'A path changes with every move in the source; an id seldom does.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationPath: '{$sourceDescriptions.shop.url}#/paths/~1pay/post'
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
    remedy: 'Give the operation an operationId, and name it.',
  },
})
