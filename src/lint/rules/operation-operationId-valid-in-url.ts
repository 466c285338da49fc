import pattern from '../functions/pattern.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every operationId can stand in a URL as it is.',
  message: 'operationId must not contain characters that are invalid when used in URL.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'operationId', run: pattern, options: { match: "^[A-Za-z0-9-._~:/?#\\[\\]@!\\$&'()*+,;=]*$" } }],
  fix: rewriteText('Replace what a URL cannot hold', (text) =>
    text.replaceAll(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+/g, '-'),
  ),
})
