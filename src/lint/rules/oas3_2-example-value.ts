import { oneExampleForm } from '../oas/next.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'An example says its value in one way.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas3_2'],
  given: ['$..examples[*]'],
  then: [{ run: oneExampleForm }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#example-object',
  help: {
    why: 'Of two values nobody knows which is the example.',
    bad: `
openapi: 3.2.0
components: { examples: { Cat: { value: {}, dataValue: {} } } }
`,
    good: `
openapi: 3.2.0
components: { examples: { Cat: { dataValue: {} } } }
`,
    remedy:
      'Keep dataValue for data and serializedValue for what goes over the wire; value is for both where they are the same.',
  },
})
