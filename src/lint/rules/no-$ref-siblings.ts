import refSiblings from '../oas/ref-siblings.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: '$ref has no sibling properties where they are ignored.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas2', 'oas3_0'],
  given: ["$..[?(@property === '$ref')]"],
  then: [{ run: refSiblings }],
  fix: remove('Remove the ignored siblings of $ref'),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#reference-object',
  help: {
    why: 'Up to OpenAPI 3.0, properties next to "$ref" are ignored.',
    bad: `
openapi: 3.0.3
components:
  schemas:
    Pet: { type: object }
    Cat: { $ref: '#/components/schemas/Pet', description: A cat. }
`,
    good: `
openapi: 3.0.3
components:
  schemas:
    Pet: { type: object }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }], description: A cat. }
`,
    remedy: 'Remove the siblings, or move the reference into allOf.',
  },
})
