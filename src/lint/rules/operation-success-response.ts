import successResponse from '../oas/success-response.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has a 2xx or 3xx response.',
  message: 'Operation must have at least one "2xx" or "3xx" response.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'responses', run: successResponse }],
})
