import schema from '../functions/schema.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operation has a tag.',
  message: 'Operation must have non-empty "tags" array.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'tags', run: schema, options: { dialect: 'draft7', schema: { type: 'array', minItems: 1 } } }],
})
