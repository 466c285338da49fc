import unusedComponents, { componentMaps } from '../oas/unused-components.ts'
import { removeUnused } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every component is used.',
  message: 'Potentially unused component has been detected.',
  severity: 'warning',
  resolved: false,
  formats: ['oas3'],
  given: ['$'],
  then: [{ run: unusedComponents }],
  fix: removeUnused('Remove the component', 2, componentMaps),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#components-object',
  help: {
    why: 'An unused component is left over, or a reference to it is misspelled.',
    bad: `
openapi: 3.1.0
components: { schemas: { Pet: { type: object } } }
`,
    good: `
openapi: 3.1.0
paths: { /pets: { get: { responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } } } } }
components: { schemas: { Pet: { type: object } } }
`,
    remedy: 'Remove the component, or refer to it.',
  },
})
