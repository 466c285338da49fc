import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Webhooks do not define callbacks.',
  message: 'Callbacks should not be defined in a webhook.',
  severity: 'warning',
  formats: ['oas3_1', 'oas3_2'],
  given: ['$.webhooks[*][*].callbacks'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#openapi-object',
  help: {
    why: 'Few tools support callbacks within webhooks.',
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
