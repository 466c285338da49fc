import successResponse from '../oas/success-response.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every operation has a 2xx or 3xx response.',
  message: 'Operation must have at least one "2xx" or "3xx" response.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'responses', run: successResponse }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#responses-object',
  help: {
    why: 'Consumers need to know what a successful request returns.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      responses: { '404': { description: gone } }
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      responses: { '200': { description: ok } }
`,
    remedy: 'Add the response of a successful request.',
  },
})
