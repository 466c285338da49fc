import { remove, visibly } from '../fix/fixers.ts'
import { checkDefinitionsUsed } from '../schemas/references.ts'
import { onSchemas } from '../schemas/places.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Every definition is used.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['json-schema'],
  given: ['$'],
  then: [{ run: onSchemas(checkDefinitionsUsed) }],
  fix: visibly('removals', remove('Remove the definition', 1)),
  documentationUrl: 'https://json-schema.org/understanding-json-schema/structuring#defs',
  help: {
    why: 'An unused definition is left over, or a reference to it is misspelled.',
    bad: `
$schema: https://json-schema.org/draft/2020-12/schema
type: string
$defs: { A: {} }
`,
    good: `
$schema: https://json-schema.org/draft/2020-12/schema
$ref: '#/$defs/A'
$defs: { A: {} }
`,
    remedy: 'Remove the definition, or refer to it.',
  },
})
