import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Webhooks do not define servers.',
  message: 'Servers should not be defined in a webhook.',
  severity: 'warning',
  formats: ['oas3_1', 'oas3_2'],
  given: ['$.webhooks.servers', '$.webhooks[*][*].servers'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#openapi-object',
  help: {
    why: 'A webhook is sent to a URL that the receiver registered, so servers have no effect.',
    bad: `
openapi: 3.1.0
webhooks: { paid: { post: { servers: [{ url: https://api.pets.test }] } } }
`,
    good: `
openapi: 3.1.0
webhooks: { paid: { post: {} } }
`,
    remedy: 'Remove "servers" from the webhook.',
  },
})
