import { additionalMethods } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Methods with a field of their own do not stand in additionalOperations.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$.paths[*].additionalOperations'],
  then: [{ run: additionalMethods }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#path-item-object',
  help: {
    why: 'A tool that looks for the operation under its own field does not find it.',
    bad: `
openapi: 3.2.0
paths: { /pets: { additionalOperations: { POST: {} } } }
`,
    good: `
openapi: 3.2.0
paths: { /pets: { post: {}, additionalOperations: { COPY: {} } } }
`,
    remedy: 'Move the operation to the field of its method.',
  },
})
