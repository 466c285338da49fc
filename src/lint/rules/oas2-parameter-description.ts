import truthy from '../functions/truthy.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every parameter has a description.',
  message: 'Parameter objects must have "description".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2'],
  given: ['$..parameters[?(@ && @.in)]'],
  then: [{ field: 'description', run: truthy }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#parameter-object',
  help: {
    why: 'The name alone rarely explains what a parameter does.',
    bad: `
swagger: "2.0"
parameters: { limit: { name: limit, in: query, type: integer } }
`,
    good: `
swagger: "2.0"
parameters: { limit: { name: limit, in: query, type: integer, description: Maximum number of results. } }
`,
    remedy: 'Add a description to the parameter.',
  },
})
