import uniqueParameters from '../oas/unique-parameters.ts'
import { oasAliases } from '../oas/aliases.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Parameters of an operation differ in name or place.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  aliases: oasAliases,
  given: ['#Operation.parameters'],
  then: [{ run: uniqueParameters }],
  fix: ({ message, ...place }) =>
    message.startsWith('Another parameter')
      ? remove('Remove the parameter that is there twice')({ message, ...place })
      : null,
})
