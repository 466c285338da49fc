import securityDefined from '../functions/security-defined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every security scheme that is asked for is declared.',
  message: '{{error}}',
  severity: 'warning',
  given: ['$'],
  then: [{ run: securityDefined }],
  formats: ['oas2', 'oas3'],
})
