import xor from '../functions/xor.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'An example has either value or externalValue.',
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
    why: 'With both, it is unclear which one applies; with neither, the example is empty.',
    bad: `
openapi: 3.1.0
components: { examples: { Cat: { value: {}, externalValue: https://example.com/cat.json } } }
`,
    good: `
openapi: 3.1.0
components: { examples: { Cat: { value: {} } } }
`,
    remedy: 'Keep either value or externalValue.',
  },
})
