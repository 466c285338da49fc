import securityDefined from '../oas/security-defined.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Security requirements name schemes and scopes that are defined.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['#SecurityRequirement'],
  then: [{ run: securityDefined, options: { oasVersion: 3 } }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object',
  help: {
    why: 'A scheme that is not defined cannot be used: clients call without credentials.',
    bad: `
openapi: 3.1.0
security: [{ key: [] }]
`,
    good: `
openapi: 3.1.0
components: { securitySchemes: { key: { type: apiKey, name: k, in: header } } }
security: [{ key: [] }]
`,
    remedy: 'Define the scheme under components.securitySchemes, or correct its name.',
  },
})
