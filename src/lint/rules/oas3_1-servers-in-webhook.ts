import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No webhook defines servers.',
  message: 'Servers should not be defined in a webhook.',
  severity: 'warning',
  formats: ['oas3_1', 'oas3_2'],
  given: ['$.webhooks.servers', '$.webhooks[*][*].servers'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#openapi-object',
  help: {
    why: 'A webhook goes to an address that the receiver registered: its servers mean nothing.',
    bad: `
openapi: 3.1.0
webhooks: { paid: { post: { servers: [{ url: https://api.pets.test }] } } }
`,
    good: `
openapi: 3.1.0
webhooks: { paid: { post: {} } }
`,
    remedy: 'Take the servers out.',
  },
})
