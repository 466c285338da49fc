import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { nameOperation, visibly } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every operation has an operationId.',
  message: 'Operation must have "operationId".',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'operationId', run: truthy }],
  fix: visibly('non-breaking', nameOperation),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'Generated clients and agents call operations by their operationId; without one, tools generate names that can change.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      summary: Lists pets
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: listPets
`,
    remedy: 'Add a unique, stable operationId.',
  },
})
