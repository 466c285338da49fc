import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { add, visibly } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Schemas of type array define their items.',
  message: 'Schemas with "type: array", require a sibling "items" field',
  severity: 'error',
  resolved: false,
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#ArraySchema'],
  then: [{ field: 'items', run: truthy }],
  fix: visibly('non-breaking', add('Allow any items', 'items', {})),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#schema-object',
  help: {
    why: 'Without "items", the type of the elements is unknown, and generated code uses an untyped list.',
    bad: `
openapi: 3.1.0
components: { schemas: { Names: { type: array } } }
`,
    good: `
openapi: 3.1.0
components: { schemas: { Names: { type: array, items: { type: string } } } }
`,
    remedy: 'Add "items" with the schema of the elements.',
  },
})
