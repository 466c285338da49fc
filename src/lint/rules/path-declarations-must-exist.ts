import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every parameter in a path template has a name.',
  message: 'Path parameter declarations must not be empty, ex."/given/{}" is invalid.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '{}' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#paths-object',
  help: {
    why: 'An empty variable has no name by which a value could be given.',
    bad: `
openapi: 3.1.0
paths: { "/pets/{}": {} }
`,
    good: `
openapi: 3.1.0
paths: { "/pets/{id}": {} }
`,
    remedy: 'Name the variable.',
  },
})
