import { serverNames } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Names of servers are unique within their list.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$..servers'],
  then: [{ run: serverNames }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#server-object',
  help: {
    why: 'Users and tools choose a server by its name.',
    bad: `
openapi: 3.2.0
servers: [{ url: /a, name: prod }, { url: /b, name: prod }]
`,
    good: `
openapi: 3.2.0
servers: [{ url: /a, name: prod }, { url: /b, name: test }]
`,
    remedy: 'Rename one of the servers.',
  },
})
