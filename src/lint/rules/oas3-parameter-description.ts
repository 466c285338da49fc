import truthy from '../functions/truthy.ts'
import { oasAliases } from '../oas/aliases.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every parameter has a description.',
  message: 'Parameter objects must have "description".',
  severity: 'warning',
  recommended: false,
  formats: ['oas3'],
  aliases: oasAliases,
  given: [
    '#PathItem.parameters[?(@ && @.in)]',
    '#Operation.parameters[?(@ && @.in)]',
    '$.components.parameters[?(@ && @.in)]',
  ],
  then: [{ field: 'description', run: truthy }],
})
