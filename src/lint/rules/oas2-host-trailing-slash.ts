import pattern from '../functions/pattern.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The host does not end with a slash.',
  message: 'Server URL must not have trailing slash.',
  severity: 'warning',
  formats: ['oas2'],
  given: ['$'],
  then: [{ field: 'host', run: pattern, options: { notMatch: '/$' } }],
  fix: rewriteText('Remove the slash at the end', (text) => text.replace(/\/+$/, '')),
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#swagger-object',
  help: {
    why: 'Paths begin with a slash: joined, there are two.',
    bad: `
swagger: "2.0"
host: api.pets.test/
`,
    good: `
swagger: "2.0"
host: api.pets.test
`,
    remedy: 'Take the slash off.',
  },
})
