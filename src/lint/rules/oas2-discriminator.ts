import discriminator from '../oas/discriminator.ts'
import { requireDiscriminator } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The discriminator property is declared and required.',
  message: '{{error}}',
  severity: 'error',
  formats: ['oas2'],
  given: ['$.definitions[?(@ && @.discriminator)]'],
  then: [{ run: discriminator }],
  fix: requireDiscriminator,
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#schema-object',
  help: {
    why: 'Clients cannot distinguish the schemas by a property that may be missing.',
    bad: `
swagger: "2.0"
definitions: { Pet: { discriminator: kind, properties: { kind: { type: string } } } }
`,
    good: `
swagger: "2.0"
definitions: { Pet: { discriminator: kind, properties: { kind: { type: string } }, required: [kind] } }
`,
    remedy: 'Declare the property and add it to "required".',
  },
})
