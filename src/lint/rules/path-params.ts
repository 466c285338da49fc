import pathParameters from '../oas/path-parameters.ts'
import { mendPathParameter } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Path parameters are defined, required, unique and used.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ run: pathParameters }],
  fix: mendPathParameter,
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#parameter-object',
  help: {
    why: 'A client cannot fill in a variable that nobody describes.',
    bad: `
openapi: 3.1.0
paths:
  /pets/{id}:
    get:
      operationId: getPet
`,
    good: `
openapi: 3.1.0
paths:
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true }]
`,
    remedy: 'Describe every variable of the path once, with required: true, and no others.',
  },
})
