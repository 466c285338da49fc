import discriminator from '../oas/discriminator.ts'
import { requireDiscriminator } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The property that a discriminator names is defined and required.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2'],
  given: ['$.definitions[?(@ && @.discriminator)]'],
  then: [{ run: discriminator }],
  fix: requireDiscriminator,
})
