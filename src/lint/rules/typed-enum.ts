import typedEnum from '../functions/typedEnum.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every value of an enum has the declared type.',
  message: '{{error}}',
  severity: 'warning',
  given: ['$..[?(@ && @.enum && @.type)]'],
  then: [{ run: typedEnum }],
  formats: ['oas2', 'oas3'],
})
