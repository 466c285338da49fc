import { oneExampleForm } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'An example defines its value once.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$..examples[*]'],
  then: [{ run: oneExampleForm }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#example-object',
  help: {
    why: 'If an example has several values, it is unclear which one applies.',
    bad: `
openapi: 3.2.0
components: { examples: { Cat: { value: {}, dataValue: {} } } }
`,
    good: `
openapi: 3.2.0
components: { examples: { Cat: { dataValue: {} } } }
`,
    remedy: 'Keep dataValue for the data, serializedValue for the serialized form, or value for both.',
  },
})
