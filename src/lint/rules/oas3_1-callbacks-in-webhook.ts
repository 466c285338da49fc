import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No webhook defines callbacks.',
  message: 'Callbacks should not be defined in a webhook.',
  severity: 'warning',
  formats: ['oas3_1', 'oas3_2'],
  given: ['$.webhooks[*][*].callbacks'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#openapi-object',
  help: {
    why: 'Who receives a webhook does not call back: hardly a tool reads it.',
    bad: `
openapi: 3.1.0
webhooks: { paid: { post: { callbacks: {} } } }
`,
    good: `
openapi: 3.1.0
webhooks: { paid: { post: {} } }
`,
    remedy: 'Describe the second call as an operation.',
  },
})
