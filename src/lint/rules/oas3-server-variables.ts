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
})
