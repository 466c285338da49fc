import pattern from '../functions/pattern.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Descriptions and titles contain no call of eval.',
  message: 'Markdown descriptions must not have "eval(".',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: 'eval\\(' } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#rich-text-formatting',
  help: {
    why: 'Documentation generated from the description could run it.',
    bad: `
openapi: 3.1.0
info: { description: 'eval(1)' }
`,
    good: `
openapi: 3.1.0
info: { description: Evaluates a formula. }
`,
    remedy: 'Remove the call from the text.',
  },
})
