import structure from '../oas/structure.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document has the structure of OpenAPI 3.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3'],
  given: ['$'],
  then: [{ run: structure }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#specification',
  help: {
    why: 'Tools read a document that is none differently, or not at all.',
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
    remedy: 'Write what the message names; the specification lists the fields of every object.',
  },
})
