import pattern from '../functions/pattern.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rewriteText, visibly } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Every operationId is valid in a URL without encoding.',
  message: 'operationId must not contain characters that are invalid when used in URL.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ field: 'operationId', run: pattern, options: { match: "^[A-Za-z0-9-._~:/?#\\[\\]@!\\$&'()*+,;=]*$" } }],
  fix: visibly(
    'non-breaking',
    rewriteText('Replace the characters that are invalid in a URL', (text) =>
      text.replaceAll(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+/g, '-'),
    ),
  ),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
  help: {
    why: 'Documentation uses operationIds in links.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: list all pets
`,
    good: `
openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: list-all-pets
`,
    remedy: 'Use letters, digits, "-" and "_".',
  },
})
