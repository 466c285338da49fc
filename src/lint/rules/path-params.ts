import pathParameters from '../oas/path-parameters.ts'
import { fixPathParameter } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Path parameters are defined, required, unique and used.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ run: pathParameters }],
  fix: fixPathParameter,
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#parameter-object',
  help: {
    why: 'Clients cannot fill in a path variable without a definition.',
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
    remedy:
      'Define each variable of the path once, with in: path and required: true, and remove definitions of variables that the path does not have.',
    others: [
      {
        message: /must not be equivalent\.$/,
        remedy:
          'Merge both paths into one; paths that differ only in the names of their variables match the same URLs.',
      },
    ],
  },
})
