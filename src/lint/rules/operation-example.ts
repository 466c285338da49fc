import { operationExamples } from '../oas/agent-needs.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The JSON that an operation takes and answers has an example.',
  message: '{{error}}',
  severity: 'warning',
  recommended: false,
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ run: operationExamples }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#media-type-object',
  help: {
    why: 'Agents and people copy a value that works before they read a schema.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: Stored } }
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    post:
      requestBody: { content: { application/json: { schema: { type: object }, example: { name: Rex } } } }
      responses: { '204': { description: Stored } }
`,
    remedy: 'Add "example" or "examples" to the media type, or values to its schema.',
  },
})
