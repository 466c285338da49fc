import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { nameOperation } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has an operationId.',
  message: 'Operation must have "operationId".',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'operationId', run: truthy }],
  fix: nameOperation,
})
