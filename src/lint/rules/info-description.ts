import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The info object has a description.',
  message: 'Info "description" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'It is the first text that readers of an API catalogue see.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
`,
    good: `
openapi: 3.1.0
info: { title: Pets, description: Pets of a shop, and their owners. }
`,
    remedy: 'Add info.description: what the API does and who uses it, in a few sentences.',
  },
})
