import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has a description that is not empty.',
  message: 'Operation "description" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'description', run: truthy }],
})
