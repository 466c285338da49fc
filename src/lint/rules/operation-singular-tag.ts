import length from '../functions/length.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Operations have at most one tag.',
  message: 'Operation must not have more than a single tag.',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'tags', run: length, options: { max: 1 } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'Documentation shows an operation once for each tag.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      tags: [pets, owners]
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      tags: [pets]
`,
    remedy: 'Keep only the best matching tag.',
  },
})
