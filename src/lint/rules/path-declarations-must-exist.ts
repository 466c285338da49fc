import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every variable in a path has a name.',
  message: 'Path parameter declarations must not be empty, ex."/given/{}" is invalid.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '{}' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#paths-object',
  help: {
    why: 'A value cannot be assigned to a variable without a name.',
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
