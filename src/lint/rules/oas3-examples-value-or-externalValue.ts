import xor from '../functions/xor.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'An example has either a value or an externalValue.',
  message: 'Examples must have either "value" or "externalValue" field.',
  severity: 'warning',
  // 3.2 has more forms, and a rule of its own.
  formats: ['oas3_0', 'oas3_1'],
  given: [
    '$.components.examples[*]',
    '$.paths[*][*]..content[*].examples[*]',
    '$.paths[*][*]..parameters[*].examples[*]',
    '$.components.parameters[*].examples[*]',
    '$.paths[*][*]..headers[*].examples[*]',
    '$.components.headers[*].examples[*]',
  ],
  then: [{ run: xor, options: { properties: ['externalValue', 'value'] } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#example-object',
  help: {
    why: 'Of an example with both nobody knows which holds; one with neither shows nothing.',
    bad: `
openapi: 3.1.0
components: { examples: { Cat: { value: {}, externalValue: https://example.com/cat.json } } }
`,
    good: `
openapi: 3.1.0
components: { examples: { Cat: { value: {} } } }
`,
    remedy: 'Write either value or externalValue.',
  },
})
