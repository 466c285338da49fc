import pathParameters from '../functions/path-parameters.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Path templates and path parameters name the same.',
  message: '{{error}}',
  severity: 'error',
  given: ['$'],
  then: [{ run: pathParameters }],
  formats: ['oas2', 'oas3'],
})
