import pattern from '../functions/pattern.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The host does not end with a slash.',
  message: 'Server URL must not have trailing slash.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: pattern, options: { notMatch: '/$' } }],
  fix: rewriteText('Remove the trailing slash', (text) => text.replace(/\/+$/, '')),
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Paths start with a slash, so the URL would contain two.',
    bad: `
swagger: "2.0"
host: api.pets.test/
`,
    good: `
swagger: "2.0"
host: api.pets.test
`,
    remedy: 'Remove the trailing slash.',
  },
})
