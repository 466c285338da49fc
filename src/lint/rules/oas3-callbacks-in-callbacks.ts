import absent from '../functions/undefined.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Callbacks do not define callbacks.',
  message: 'Callbacks should not be defined within a callback',
  severity: 'warning',
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['#Operation.callbacks[*][*][*].callbacks'],
  then: [{ run: absent }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#callback-object',
  help: {
    why: 'Few tools support callbacks within callbacks.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      callbacks:
        paid:
          '{$request.body#/url}':
            post: { callbacks: {} }
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      callbacks:
        paid:
          '{$request.body#/url}':
            post: {}
`,
    remedy: 'Describe the second call as an operation or a webhook.',
  },
})
