import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every parameter has a description.',
  message: 'Parameter objects must have "description".',
  severity: 'warning',
  recommended: false,
  formats: ['oas3'],
  aliases: oasAliases,
  given: [
    '#PathItem.parameters[?(@ && @.in)]',
    '#Operation.parameters[?(@ && @.in)]',
    '$.components.parameters[?(@ && @.in)]',
  ],
  then: [{ field: 'description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#parameter-object',
  help: {
    why: 'The name alone rarely explains what a parameter does.',
    bad: `
openapi: 3.1.0
components: { parameters: { Limit: { name: limit, in: query } } }
`,
    good: `
openapi: 3.1.0
components: { parameters: { Limit: { name: limit, in: query, description: Maximum number of results. } } }
`,
    remedy: 'Add a description to the parameter.',
  },
})
