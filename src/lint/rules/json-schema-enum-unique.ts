import { dropRepeated } from '../fix/fixers.ts'
import { checkEnumUnique } from '../schemas/values.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The values of an enum differ.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkEnumUnique) }],
  fix: dropRepeated('Take the repeated values out'),
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/enum',
  help: {
    why: 'A value that is there twice means nothing more; another one was probably meant.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
enum: [red, green, red]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
enum: [red, green]
`,
    remedy: 'Take one of them out.',
  },
})
