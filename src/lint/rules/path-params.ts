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
})
