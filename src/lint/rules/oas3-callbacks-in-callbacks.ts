import absent from '../functions/undefined.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No callback defines callbacks.',
  message: 'Callbacks should not be defined within a callback',
  severity: 'warning',
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['#Operation.callbacks[*][*][*].callbacks'],
  then: [{ run: absent }],
})
