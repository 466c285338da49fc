import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document is valid OpenAPI 3.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#specification',
  help: {
    why: 'Tools interpret an invalid document differently or reject it.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
paths: {}
`,
    good: `
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths: {}
`,
    remedy: 'Correct the property that the message names.',
  },
})
