import { errorShape } from '../oas/agent-needs.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every operation describes the body of an error.',
  message: '{{error}}',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'responses', run: errorShape }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#responses-object',
  help: {
    why: 'A program, and an agent above all, corrects a request by what the error says; it has to know where that is.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      responses: { '200': { description: Pets }, '404': { description: Not found } }
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      responses:
        '200': { description: Pets }
        default:
          description: The request failed
          content: { application/problem+json: { schema: { type: object } } }
`,
    remedy: 'Give the response for errors a schema, such as that of problem details (RFC 9457).',
  },
})
