import xor from '../functions/xor.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'An example has either a value or an externalValue.',
  message: 'Examples must have either "value" or "externalValue" field.',
  severity: 'warning',
  formats: ['oas3'],
  given: [
    '$.components.examples[*]',
    '$.paths[*][*]..content[*].examples[*]',
    '$.paths[*][*]..parameters[*].examples[*]',
    '$.components.parameters[*].examples[*]',
    '$.paths[*][*]..headers[*].examples[*]',
    '$.components.headers[*].examples[*]',
  ],
  then: [{ run: xor, options: { properties: ['externalValue', 'value'] } }],
})
