import serverVariables from '../oas/server-variables.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Variables of server URLs are defined and have valid defaults.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['$.servers[*]', '#PathItem.servers[*]', '#Operation.servers[*]', '#Link.server'],
  then: [{ run: serverVariables }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#server-variable-object',
  help: {
    why: 'Clients cannot replace an undefined variable, so they call a URL with "{region}" in it.',
    bad: `
openapi: 3.1.0
servers: [{ url: 'https://{region}.pets.test' }]
`,
    good: `
openapi: 3.1.0
servers: [{ url: 'https://{region}.pets.test', variables: { region: { default: eu, enum: [eu, us] } } }]
`,
    remedy: 'Define every variable of the URL, with a default that is one of its enum values.',
  },
})
