import typedEnum from '../functions/typedEnum.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The values of an enum are of the type that stands beside it.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[?(@ && @.enum && @.type)]'],
  then: [{ run: typedEnum }],
})
