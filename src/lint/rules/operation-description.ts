import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every operation has a description.',
  message: 'Operation "description" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'The summary names the operation; readers need the description to know when and how to use it.',
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
      operationId: listPets
      description: Lists the pets of the shop, the newest first.
`,
    remedy: 'Add a description: what the operation does, what it requires and which errors it returns.',
  },
})
