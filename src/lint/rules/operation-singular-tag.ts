import length from '../functions/length.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No operation has more than one tag.',
  message: 'Operation must not have more than a single tag.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'tags', run: length, options: { max: 1 } }],
})
