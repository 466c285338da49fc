import uniqueParameters from '../oas/unique-parameters.ts'
import { oasAliases } from '../oas/aliases.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Parameters of an operation are unique by name and location.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation.parameters'],
  then: [{ run: uniqueParameters }],
  fix: (place) => (place.kind === 'repeated' ? remove('Remove the duplicate parameter')(place) : null),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'If a parameter is defined twice, it is unclear which definition applies.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      parameters: [{ name: a, in: query }, { name: a, in: query }]
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      parameters: [{ name: a, in: query }, { name: b, in: query }]
`,
    remedy: 'Remove one of the parameters.',
  },
})
