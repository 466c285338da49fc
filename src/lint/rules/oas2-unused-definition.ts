import unreferencedReusableObject from '../functions/unreferencedReusableObject.ts'
import { removeUnused } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every definition is used.',
  message: 'Potentially unused definition has been detected.',
  severity: 'warning',
  resolved: false,
  formats: ['oas2'],
  given: ['$.definitions'],
  then: [{ run: unreferencedReusableObject, options: { reusableObjectsLocation: '#/definitions' } }],
  fix: removeUnused('Remove the definition', 1, [['definitions']]),
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#definitions-object',
  help: {
    why: 'An unused definition is left over, or a reference to it is misspelled.',
    bad: `
swagger: "2.0"
definitions: { Pet: { type: object } }
`,
    good: `
swagger: "2.0"
paths: { /pets: { get: { responses: { '200': { schema: { $ref: '#/definitions/Pet' } } } } } }
definitions: { Pet: { type: object } }
`,
    remedy: 'Remove the definition, or refer to it.',
  },
})
