import typedEnum from '../functions/typedEnum.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Values of an enum have the declared type.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[?(@ && @.enum && @.type)]'],
  then: [{ run: typedEnum }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#schema-object',
  help: {
    why: 'A value of another type is never valid.',
    bad: `
openapi: 3.1.0
components: { schemas: { Size: { type: integer, enum: [1, two] } } }
`,
    good: `
openapi: 3.1.0
components: { schemas: { Size: { type: integer, enum: [1, 2] } } }
`,
    remedy: 'Correct the value or the type.',
  },
})
