import { dropRepeated } from '../fix/fixers.ts'
import { checkEnumUnique } from '../schemas/values.ts'
import { onSchemas, schemaPaths } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'An enum lists each value once.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: [...schemaPaths],
  then: [{ run: onSchemas(checkEnumUnique) }],
  fix: dropRepeated('Remove the duplicate values'),
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/enum',
  help: {
    why: 'A duplicate has no effect; another value was probably intended.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
enum: [red, green, red]
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
enum: [red, green]
`,
    remedy: 'Remove the duplicate, or correct it.',
  },
})
