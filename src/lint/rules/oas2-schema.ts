import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document is valid OpenAPI 2.0.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas2'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#specification',
  help: {
    why: 'Tools interpret an invalid document differently or reject it.',
    bad: `
swagger: "2.0"
info: { title: Pets }
paths: {}
`,
    good: `
swagger: "2.0"
info: { title: Pets, version: '1' }
paths: {}
`,
    remedy: 'Correct the property that the message names.',
  },
})
