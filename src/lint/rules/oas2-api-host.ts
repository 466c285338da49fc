import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The document names a host.',
  message: 'OpenAPI "host" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Without a host clients call the machine that the document came from.',
    bad: `
swagger: "2.0"
paths: {}
`,
    good: `
swagger: "2.0"
host: api.example.org
paths: {}
`,
    remedy: 'Write the host.',
  },
})
