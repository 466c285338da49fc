import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document has a host.',
  message: 'OpenAPI "host" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Without a host, clients call the server that the document was loaded from.',
    bad: `
swagger: "2.0"
paths: {}
`,
    good: `
swagger: "2.0"
host: api.example.org
paths: {}
`,
    remedy: 'Add "host" with the host name of the API.',
  },
})
