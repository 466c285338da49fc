import { serverNames } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Servers of a list have names of their own.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$..servers'],
  then: [{ run: serverNames }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#server-object',
  help: {
    why: 'People and tools choose a server by its name.',
    bad: `
openapi: 3.2.0
servers: [{ url: /a, name: prod }, { url: /b, name: prod }]
`,
    good: `
openapi: 3.2.0
servers: [{ url: /a, name: prod }, { url: /b, name: test }]
`,
    remedy: 'Rename one of them.',
  },
})
