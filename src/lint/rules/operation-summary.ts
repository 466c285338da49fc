import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every operation has a summary.',
  message: 'Operation should have a "summary".',
  severity: 'info',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'summary', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'Lists and search results show the summary.',
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
      summary: List pets
`,
    remedy: 'Add a summary of a few words.',
  },
})
