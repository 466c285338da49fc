import refSiblings from '../oas/ref-siblings.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Nothing stands beside $ref, where it would be ignored.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas2', 'oas3_0'],
  given: ["$..[?(@property === '$ref')]"],
  then: [{ run: refSiblings }],
  fix: remove('Remove what is ignored beside $ref'),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#reference-object',
  help: {
    why: 'Up to OpenAPI 3.0 whatever stands beside "$ref" is ignored, though it looks as if it held.',
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
    remedy: 'Take it out, or put the reference into allOf.',
  },
})
