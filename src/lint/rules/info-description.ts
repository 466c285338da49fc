import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The info has a description that is not empty.',
  message: 'Info "description" must be present and non-empty string.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'info.description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'It is the first thing that readers of a catalogue see.',
    bad: `
openapi: 3.1.0
info: { title: Pets }
`,
    good: `
openapi: 3.1.0
info: { title: Pets, description: Pets of a shop, and their owners. }
`,
    remedy: 'Say in a few sentences what the API is for, and for whom.',
  },
})
