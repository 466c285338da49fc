import securityDefined from '../oas/security-defined.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Security requirements use defined schemes and scopes.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['#SecurityRequirement'],
  then: [{ run: securityDefined, options: { oasVersion: 3 } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object',
  help: {
    why: 'Clients cannot use an undefined scheme, so they call without credentials.',
    bad: `
openapi: 3.1.0
security: [{ key: [] }]
`,
    good: `
openapi: 3.1.0
components: { securitySchemes: { key: { type: apiKey, name: k, in: header } } }
security: [{ key: [] }]
`,
    remedy: 'Define the scheme in components.securitySchemes, or correct its name.',
  },
})
