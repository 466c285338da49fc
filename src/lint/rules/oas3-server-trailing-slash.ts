import pattern from '../functions/pattern.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Server URLs do not end with a slash.',
  message: 'Server URL must not have trailing slash.',
  severity: 'warning',
  formats: ['oas3'],
  given: ['$.servers[*].url'],
  then: [{ run: pattern, options: { notMatch: './$' } }],
  fix: rewriteText('Remove the trailing slash', (text) => text.replace(/\/+$/, '')),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#server-object',
  help: {
    why: 'Paths start with a slash, so the URL would contain two.',
    bad: `
openapi: 3.1.0
servers: [{ url: https://api.pets.test/ }]
`,
    good: `
openapi: 3.1.0
servers: [{ url: https://api.pets.test }]
`,
    remedy: 'Remove the trailing slash.',
  },
})
