import pattern from '../functions/pattern.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No server URL ends with a slash.',
  message: 'Server URL must not have trailing slash.',
  severity: 'warning',
  formats: ['oas3'],
  given: ['$.servers[*].url'],
  then: [{ run: pattern, options: { notMatch: './$' } }],
  fix: rewriteText('Remove the slash at the end', (text) => text.replace(/\/+$/, '')),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#server-object',
  help: {
    why: 'Paths begin with a slash: joined, there are two.',
    bad: `
openapi: 3.1.0
servers: [{ url: https://api.pets.test/ }]
`,
    good: `
openapi: 3.1.0
servers: [{ url: https://api.pets.test }]
`,
    remedy: 'Take the slash off.',
  },
})
