import pattern from '../functions/pattern.ts'
import { removeScripts } from '../fix/scripts.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Descriptions contain no <script> tags.',
  message: 'Markdown descriptions must not have "<script>" tags.',
  severity: 'warning',
  resolved: false,
  formats: ['arazzo1_0', 'arazzo1_1'],
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: '<script' } }],
  fix: removeScripts,
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.0.1.html#rich-text-formatting',
  help: {
    why: 'Documentation generated from the description would run the script.',
    bad: `
arazzo: 1.0.1
info: { title: Orders, version: 1.0.0, description: '<script>' }
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
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - stepId: pay
        operationId: pay
`,
    remedy: 'Remove the script.',
  },
})
