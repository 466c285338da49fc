import { isObject } from '../../kernel/json.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule, type LintFunction } from '../rule.ts'

/** The responses of an operation include one for errors of clients; `default` covers all others. */
const clientError: LintFunction = (input) => {
  if (!isObject(input)) return []
  const isOne = (status: string): boolean => status === 'default' || /^4(?:\d\d|XX)$/.test(status)
  return Object.keys(input).some(isOne)
    ? []
    : [{ message: 'Operation has no response for errors of clients; add a "4XX" or "default" response.' }]
}

export default rule({
  origin: 'svc',
  description: 'Every operation describes a response to wrong requests (4XX or default).',
  message: '{{error}}',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'responses', run: clientError }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#responses-object',
  help: {
    why: 'Every server rejects some requests; clients cannot handle an answer that is not described.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      responses: { '200': { description: Pets } }
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      responses: { '200': { description: Pets }, '4XX': { description: The request is wrong } }
`,
    remedy: 'Describe the responses to wrong requests, with the body that explains the error.',
  },
})
