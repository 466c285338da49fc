import { additionalMethods } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'additionalOperations contains no method that has a field of its own.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$.paths[*].additionalOperations'],
  then: [{ run: additionalMethods }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#path-item-object',
  help: {
    why: 'Tools look for the operation in the field of its method and do not find it.',
    bad: `
openapi: 3.2.0
paths: { /pets: { additionalOperations: { POST: {} } } }
`,
    good: `
openapi: 3.2.0
paths: { /pets: { post: {}, additionalOperations: { COPY: {} } } }
`,
    remedy: 'Move the operation to the field of its method, such as "get".',
  },
})
