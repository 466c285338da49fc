import securityDefined from '../oas/security-defined.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Security requirements use defined schemes and scopes.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2'],
  aliases: oasAliases,
  given: ['#SecurityRequirement'],
  then: [{ run: securityDefined, options: { oasVersion: 2 } }],
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#security-requirement-object',
  help: {
    why: 'Clients cannot use an undefined scheme, so they call without credentials.',
    bad: `
swagger: "2.0"
security: [{ key: [] }]
`,
    good: `
swagger: "2.0"
securityDefinitions: { key: { type: apiKey, name: k, in: header } }
security: [{ key: [] }]
`,
    remedy: 'Define the scheme in securityDefinitions, or correct its name.',
  },
})
