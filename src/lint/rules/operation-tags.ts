import schema from '../functions/schema.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every operation has at least one tag.',
  message: 'Operation must have non-empty "tags" array.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'tags', run: schema, options: { dialect: 'draft7', schema: { type: 'array', minItems: 1 } } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'Documentation groups operations by tag.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: listPets
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      tags: [pets]
`,
    remedy: 'Add a tag to the operation.',
  },
})
