import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { add } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'A schema of type array says what its items are.',
  message: 'Schemas with "type: array", require a sibling "items" field',
  severity: 'error',
  resolved: false,
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#ArraySchema'],
  then: [{ field: 'items', run: truthy }],
  fix: add('Allow any items', 'items', {}),
})
