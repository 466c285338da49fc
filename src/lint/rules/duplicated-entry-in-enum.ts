import uniqueEnum from '../oas/unique-enum.ts'
import { dropRepeated } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'An enum lists each value once.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ["$..[?(@property !== 'properties' && @ != null && @.enum && @.enum.constructor.name === 'Array')]"],
  then: [{ field: 'enum', run: uniqueEnum }],
  fix: dropRepeated('Remove the duplicate values'),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#schema-object',
  help: {
    why: 'A duplicate has no effect; another value was probably intended.',
    bad: `
openapi: 3.1.0
components: { schemas: { Colour: { enum: [red, green, red] } } }
`,
    good: `
openapi: 3.1.0
components: { schemas: { Colour: { enum: [red, green] } } }
`,
    remedy: 'Remove the duplicate, or correct it.',
  },
})
