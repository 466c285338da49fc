import securityDefined from '../oas/security-defined.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Security requirements name schemes and scopes that are defined.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2'],
  aliases: oasAliases,
  given: ['#SecurityRequirement'],
  then: [{ run: securityDefined, options: { oasVersion: 2 } }],
})
