import serverVariables from '../oas/server-variables.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The variables of a server URL are described and have defaults.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas3'],
  aliases: oasAliases,
  given: ['$.servers[*]', '#PathItem.servers[*]', '#Operation.servers[*]', '#Link.server'],
  then: [{ run: serverVariables }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#server-variable-object',
  help: {
    why: 'A variable without a definition is never filled in: clients call {region} by that name.',
    bad: `
openapi: 3.1.0
servers: [{ url: 'https://{region}.pets.test' }]
`,
    good: `
openapi: 3.1.0
servers: [{ url: 'https://{region}.pets.test', variables: { region: { default: eu, enum: [eu, us] } } }]
`,
    remedy: 'Define every variable of the address, with a default that is among its values.',
  },
})
