import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has a summary.',
  message: 'Operation should have a "summary": lists and search show it.',
  severity: 'info',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'summary', run: truthy }],
})
