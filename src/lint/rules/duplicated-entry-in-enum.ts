import uniqueEnum from '../oas/unique-enum.ts'
import { dropRepeated } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'An enum lists every value once.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ["$..[?(@property !== 'properties' && @ != null && @.enum && @.enum.constructor.name === 'Array')]"],
  then: [{ field: 'enum', run: uniqueEnum }],
  fix: dropRepeated('Remove what is listed twice'),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#schema-object',
  help: {
    why: 'A value that is there twice means nothing more; another one was probably meant.',
    bad: `
openapi: 3.1.0
components: { schemas: { Colour: { enum: [red, green, red] } } }
`,
    good: `
openapi: 3.1.0
components: { schemas: { Colour: { enum: [red, green] } } }
`,
    remedy: 'Take one of them out.',
  },
})
