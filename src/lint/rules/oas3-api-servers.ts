import schema from '../functions/schema.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The document has servers.',
  message: 'OpenAPI "servers" must be present and non-empty array.',
  severity: 'warning',
  formats: ['oas3'],
  given: ['$'],
  then: [
    {
      field: 'servers',
      run: schema,
      options: { dialect: 'draft7', schema: { items: { type: 'object' }, minItems: 1, type: 'array' } },
    },
  ],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#openapi-object',
  help: {
    why: 'Without servers, clients call the server that the document was loaded from.',
    bad: `
openapi: 3.1.0
paths: {}
`,
    good: `
openapi: 3.1.0
servers: [{ url: https://api.pets.test }]
`,
    remedy: 'Add at least one server with the URL of the API.',
  },
})
